import { Module } from '@nestjs/common';
import { InstanceModule } from '../instance/instance.module';
import { SharedWorkspaceModule } from '../shared-workspace/shared-workspace.module';
import { LiveWorkers } from './live-workers';
import { WorkersController } from './workers.controller';
import { WorkersService } from './workers.service';

@Module({
  imports: [InstanceModule, SharedWorkspaceModule],
  controllers: [WorkersController],
  providers: [LiveWorkers, WorkersService],
  exports: [LiveWorkers, WorkersService],
})
export class WorkerModule {}
