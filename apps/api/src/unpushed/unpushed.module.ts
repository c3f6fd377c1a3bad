import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { ProjectModule } from '../project/project.module';
import { UnpushedWorkController } from './unpushed-work.controller';
import { UnpushedWorkService } from './unpushed-work.service';

@Module({
  imports: [AccessModule, ProjectModule],
  controllers: [UnpushedWorkController],
  providers: [UnpushedWorkService],
})
export class UnpushedModule {}
