import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { TeamModule } from '../team/team.module';
import { DevicesService } from './devices.service';
import { MeController } from './me.controller';
import { ProfileService } from './profile.service';

@Module({
  imports: [AccessModule, AuditModule, AuthModule, TeamModule],
  controllers: [MeController],
  providers: [DevicesService, ProfileService],
})
export class MeModule {}
