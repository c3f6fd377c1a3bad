import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { TurnModule } from '../turn/turn.module';
import { WorkerModule } from '../worker/worker.module';
import { CommentedCode } from './commented-code';
import { CommentsController } from './comments.controller';
import { CommentsService } from './comments.service';

@Module({
  imports: [AccessModule, TurnModule, WorkerModule],
  controllers: [CommentsController],
  providers: [CommentedCode, CommentsService],
})
export class CommentModule {}
