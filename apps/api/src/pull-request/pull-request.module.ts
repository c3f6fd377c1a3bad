import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { TurnModule } from '../turn/turn.module';
import { WorkerModule } from '../worker/worker.module';
import { PullRequestFeedbackService } from './pull-request-feedback.service';
import { PullRequestsController } from './pull-requests.controller';
import { PullRequestsService } from './pull-requests.service';

@Module({
  imports: [AccessModule, TurnModule, WorkerModule],
  controllers: [PullRequestsController],
  providers: [PullRequestFeedbackService, PullRequestsService],
})
export class PullRequestModule {}
