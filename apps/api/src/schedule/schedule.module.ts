import { Module } from '@nestjs/common';
import { ScheduleRepository } from '@chirality/database';
import { CONFIG, LOG, type Config, type Logger } from '@chirality/platform';
import { AccessModule } from '../access/access.module';
import { AuditModule } from '../audit/audit.module';
import { rareWarning } from '../core/rare-log';
import { ProjectModule } from '../project/project.module';
import { SessionModule } from '../session/session.module';
import { TurnModule } from '../turn/turn.module';
import { ScheduleClock } from './schedule-clock';
import { ScheduleRunner } from './schedule-runner';
import { ScheduleView } from './schedule-view';
import { SchedulesController } from './schedules.controller';
import { SchedulesService } from './schedules.service';
import { TriggersController } from './triggers.controller';
import { TriggersService } from './triggers.service';

const LOOK_MS = 5_000;

@Module({
  imports: [AccessModule, AuditModule, ProjectModule, SessionModule, TurnModule],
  controllers: [SchedulesController, TriggersController],
  providers: [
    ScheduleRunner,
    ScheduleView,
    SchedulesService,
    TriggersService,
    {
      provide: ScheduleClock,
      inject: [ScheduleRepository, ScheduleRunner, CONFIG, LOG],
      useFactory: (schedules: ScheduleRepository, runner: ScheduleRunner, config: Config, log: Logger) =>
        new ScheduleClock({
          schedules,
          runner,
          lookMs: config.testLimits['scheduleLookMs'] ?? LOOK_MS,
          onError: rareWarning(log, 'schedules.not_looked_at'),
        }),
    },
  ],
})
export class ScheduleModule {}
