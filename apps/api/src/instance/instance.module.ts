import { Module } from '@nestjs/common';
import { FoundingTeam } from './founding-team';
import { Installation } from './installation';
import { InstanceController } from './instance.controller';
import { InstanceService } from './instance.service';

@Module({
  controllers: [InstanceController],
  providers: [FoundingTeam, Installation, InstanceService],
  exports: [FoundingTeam, Installation],
})
export class InstanceModule {}
