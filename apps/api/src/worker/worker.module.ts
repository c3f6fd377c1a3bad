import { Module } from '@nestjs/common';
import { InstanceModule } from '../instance/instance.module';
import { LiveWorkers } from './live-workers';
import { WorkersController } from './workers.controller';
import { WorkersService } from './workers.service';

@Module({
  imports: [InstanceModule],
  controllers: [WorkersController],
  providers: [LiveWorkers, WorkersService],
  exports: [LiveWorkers, WorkersService],
})
export class WorkerModule {}
