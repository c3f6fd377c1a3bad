import { Module } from '@nestjs/common';
import { SchemaJudge } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { AttachmentModule } from '../attachment/attachment.module';
import { AuditModule } from '../audit/audit.module';
import { BudgetModule } from '../budget/budget.module';
import { EventModule } from '../event/event.module';
import { OptionsModule } from '../options/options.module';
import { WorkerModule } from '../worker/worker.module';
import { ToolOutcomesService } from './tool-outcomes.service';
import { ToolResultsService } from './tool-results.service';
import { TurnAcceptance } from './turn-acceptance';
import { TurnActsService } from './turn-acts.service';
import { TurnFilesService } from './turn-files.service';
import { TurnQueueing } from './turn-queueing';
import { TurnWatch } from './turn-watch';
import { TurnsController } from './turns.controller';
import { TurnsService } from './turns.service';

@Module({
  imports: [AccessModule, AttachmentModule, AuditModule, BudgetModule, EventModule, OptionsModule, WorkerModule],
  controllers: [TurnsController],
  providers: [
    SchemaJudge,
    ToolOutcomesService,
    ToolResultsService,
    TurnAcceptance,
    TurnActsService,
    TurnFilesService,
    TurnQueueing,
    TurnWatch,
    TurnsService,
  ],
  exports: [TurnAcceptance, TurnActsService, TurnWatch, TurnsService],
})
export class TurnModule {}
