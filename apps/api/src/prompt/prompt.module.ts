import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { OptionsModule } from '../options/options.module';
import { WorkerModule } from '../worker/worker.module';
import { PromptsController } from './prompts.controller';
import { PromptsService } from './prompts.service';

@Module({
  imports: [AccessModule, OptionsModule, WorkerModule],
  controllers: [PromptsController],
  providers: [PromptsService],
})
export class PromptModule {}
