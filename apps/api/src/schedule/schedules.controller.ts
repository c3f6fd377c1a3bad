import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import {
  createScheduleSchema,
  listSchedulesQuerySchema,
  pageSchema,
  previewScheduleSchema,
  schedulePreviewSchema,
  scheduleRunSchema,
  scheduleSchema,
  scheduleTriggerSchema,
  updateScheduleSchema,
  type CreateSchedule,
  type Page,
  type Schedule,
  type SchedulePreview,
  type ScheduleRun,
  type ScheduleTrigger,
  type UpdateSchedule,
} from '@chirality/contracts';
import type { z } from 'zod';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { SchedulesService } from './schedules.service';

@Controller('v1/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @Answers(200, pageSchema(scheduleSchema), 'List schedules of a project', { problems: ['PROJECT_NOT_FOUND'] })
  list(
    @CurrentUser() who: Principal,
    @QueryOf(listSchedulesQuerySchema) { projectId }: z.infer<typeof listSchedulesQuerySchema>,
  ): Promise<Page<Schedule>> {
    return this.schedules.list(who, projectId);
  }

  @Post()
  @Answers(201, scheduleSchema, 'Create a schedule: a message that is sent at given times, or on signed requests', {
    problems: ['PROJECT_NOT_FOUND', 'SESSION_NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  create(@CurrentUser() who: Principal, @JsonBody(createScheduleSchema) body: CreateSchedule): Promise<Schedule> {
    return this.schedules.create(who, body);
  }

  @Post('preview')
  @Answers(200, schedulePreviewSchema, 'Preview when a schedule would run')
  preview(
    @CurrentUser() _who: Principal,
    @JsonBody(previewScheduleSchema) body: z.infer<typeof previewScheduleSchema>,
  ): SchedulePreview {
    return this.schedules.preview(body);
  }

  @Get(':scheduleId')
  @Answers(200, scheduleSchema, 'Get a schedule', { problems: ['NOT_FOUND'] })
  get(@CurrentUser() who: Principal, @Param('scheduleId') id: string): Promise<Schedule> {
    return this.schedules.get(who, id);
  }

  @Patch(':scheduleId')
  @Answers(200, scheduleSchema, 'Change, pause or resume a schedule', {
    problems: ['NOT_FOUND', 'SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  update(
    @CurrentUser() who: Principal,
    @Param('scheduleId') id: string,
    @JsonBody(updateScheduleSchema) body: UpdateSchedule,
  ): Promise<Schedule> {
    return this.schedules.update(who, id, body);
  }

  @Delete(':scheduleId')
  @Answers(204, null, 'Delete a schedule; sessions that it began stay', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  remove(@CurrentUser() who: Principal, @Param('scheduleId') id: string): Promise<void> {
    return this.schedules.remove(who, id);
  }

  @Get(':scheduleId/runs')
  @Answers(200, pageSchema(scheduleRunSchema), 'List runs of a schedule, those that were missed too, latest first', {
    problems: ['NOT_FOUND'],
  })
  runs(@CurrentUser() who: Principal, @Param('scheduleId') id: string): Promise<Page<ScheduleRun>> {
    return this.schedules.runs(who, id);
  }

  @Post(':scheduleId/run')
  @Answers(200, scheduleRunSchema, 'Run a schedule now, in its owner’s name', { problems: ['NOT_FOUND', 'FORBIDDEN'] })
  run(@CurrentUser() who: Principal, @Param('scheduleId') id: string): Promise<ScheduleRun> {
    return this.schedules.runNow(who, id);
  }

  @Post(':scheduleId/trigger')
  @Answers(201, scheduleTriggerSchema, 'Create a secret for signed requests that start a schedule, shown only once', {
    problems: ['NOT_FOUND', 'FORBIDDEN'],
  })
  trigger(@CurrentUser() who: Principal, @Param('scheduleId') id: string): Promise<ScheduleTrigger> {
    return this.schedules.renewTrigger(who, id);
  }
}
