import { Inject, Injectable } from '@nestjs/common';
import {
  isId,
  type CreateSchedule,
  type Page,
  type Schedule,
  type SchedulePreview,
  type ScheduleRun,
  type ScheduleTrigger,
  type ServiceAccount,
  type UpdateSchedule,
} from '@chirality/contracts';
import {
  isTimezone,
  ScheduleRepository,
  ServiceAccountRepository,
  type ScheduleChanges,
  type StoredSchedule,
} from '@chirality/database';
import { newId } from '@chirality/domain';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import type { Principal } from '../access/principal';
import { projectPolicy } from '../access/project.policy';
import { serviceAccountPolicy } from '../service-account/service-account.policy';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { wholePage } from '../core/http/json-page';
import { knownId } from '../core/http/known-id';
import { ForbiddenError, problems } from '../core/problem/problems';
import { ProjectsService } from '../project/projects.service';
import { cronFault, nextTimes } from './cron-times';
import { cronWords } from './cron-words';
import { schedulePolicy } from './schedule.policy';
import { ScheduleRunner } from './schedule-runner';
import { isoTimes, ScheduleView } from './schedule-view';
import { triggerSecret } from './trigger-signature';

const MAX_SCHEDULES = 100;
const MAX_NAME = 60;
const OWNERS_ALONE =
  'Only its owner changes and runs this schedule. Those who manage the project may pause and delete it.';

/** Messages that are sent at given times. Those who work in the project see all; who owns one changes it. */
@Injectable()
export class SchedulesService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly schedules: ScheduleRepository,
    private readonly accounts: ServiceAccountRepository,
    private readonly projects: ProjectsService,
    private readonly sessions: SessionAccess,
    private readonly runner: ScheduleRunner,
    private readonly view: ScheduleView,
    private readonly audit: AuditTrail,
  ) {}

  async list(who: Principal, projectId: string): Promise<Page<Schedule>> {
    const project = await this.projects.find(who, projectId);
    return wholePage(await this.view.show(who, await this.schedules.list(project.id)));
  }

  async get(who: Principal, id: string): Promise<Schedule> {
    const [shown] = await this.view.show(who, [await this.readable(who, id)]);
    if (!shown) throw problems.notFound('schedule');
    return shown;
  }

  preview({ cron, timezone }: { cron: string; timezone: string }): SchedulePreview {
    refuseUnfitTimes(cron, timezone);
    return { words: cronWords(cron, timezone), next: isoTimes(cron, timezone) };
  }

  async create(who: Principal, wanted: CreateSchedule): Promise<Schedule> {
    const project = await this.projects.find(who, wanted.projectId);
    if (!projectPolicy.contribute(who, project)) throw problems.forbidden('create schedules', project.teamId);
    const { message, cron, timezone, budgetUsd, session } = wanted;
    refuseUnfitTimes(cron, timezone);
    const sessionId = await this.continued(who, project.id, session);
    const ownerId = await this.ownerOf(who, project.teamId, wanted.serviceAccountId);
    if ((await this.schedules.list(project.id)).length >= MAX_SCHEDULES)
      throw new ProblemError('CONFLICT', `A project has at most ${MAX_SCHEDULES} schedules. Delete one first.`);
    const name = wanted.name ?? message.split('\n')[0]?.slice(0, MAX_NAME) ?? 'Schedule';
    const persona = wanted.persona ?? null;
    const nextAt = cron === null ? null : nextOf(cron, timezone);
    const { id: projectId, teamId } = project;
    const id = await this.schedules.create({
      teamId,
      projectId,
      ownerId,
      name,
      persona,
      message,
      cron,
      timezone,
      sessionId,
      budgetUsd,
      nextAt,
    });
    await this.audit.note(who, teamId, {
      action: 'schedule:create',
      object: id,
      detail: { name, projectId, cron, timezone, ownerId, budgetUsd },
    });
    return this.get(who, id);
  }

  async update(who: Principal, id: string, { session, status, ...wanted }: UpdateSchedule): Promise<Schedule> {
    const stops = status === 'paused' && changedOf({ session, ...wanted }).length === 0;
    const found = await (stops ? this.stoppable(who, id) : this.changeable(who, id));
    const cron = wanted.cron === undefined ? found.cron : wanted.cron;
    const timezone = wanted.timezone ?? found.timezone;
    refuseUnfitTimes(cron, timezone);
    const changes: ScheduleChanges = { ...defined(wanted) };
    if (session !== undefined) changes.sessionId = await this.continued(who, found.projectId, session);
    if (status === 'paused') changes.pausedBecause = 'person';
    if (status === 'active') Object.assign(changes, { pausedBecause: null, failures: 0 });
    const isPaused = (changes.pausedBecause === undefined ? found.pausedBecause : changes.pausedBecause) !== null;
    const isMoved = status !== undefined || wanted.cron !== undefined || wanted.timezone !== undefined;
    if (isMoved) changes.nextAt = isPaused || cron === null ? null : nextOf(cron, timezone);
    await this.schedules.update(found.id, changes);
    await this.audit.note(who, found.teamId, {
      action: status === 'paused' ? 'schedule:pause' : 'schedule:update',
      object: found.id,
      detail: {
        name: wanted.name ?? found.name,
        projectId: found.projectId,
        changed: changedOf({ session, status, ...wanted }),
      },
    });
    return this.get(who, found.id);
  }

  async remove(who: Principal, id: string): Promise<void> {
    const found = await this.stoppable(who, id);
    await this.schedules.remove(found.id);
    await this.audit.note(who, found.teamId, {
      action: 'schedule:remove',
      object: found.id,
      detail: { name: found.name, projectId: found.projectId },
    });
  }

  async runs(who: Principal, id: string): Promise<Page<ScheduleRun>> {
    const found = await this.readable(who, id);
    return wholePage(await this.view.showRuns(who, await this.schedules.listRuns(found.id)));
  }

  /** Now, in its owner's name, as if its time had come; also while it is paused, to see whether it works again. */
  async runNow(who: Principal, id: string): Promise<ScheduleRun> {
    const found = await this.changeable(who, id);
    const runId = await this.schedules.addRun(found.id, 'person', newId('request'));
    if (runId === null) throw problems.notFound('schedule');
    await this.audit.note(who, found.teamId, {
      action: 'schedule:run',
      object: found.id,
      detail: { name: found.name, projectId: found.projectId },
    });
    await this.runner.run(found, runId);
    const runs = (await this.schedules.listRuns(found.id)).filter((one) => one.id === runId);
    const [run] = await this.view.showRuns(who, runs);
    if (!run) throw problems.notFound('schedule');
    return run;
  }

  /** A secret for signed requests; the earlier one is worth nothing from then on. */
  async renewTrigger(who: Principal, id: string): Promise<ScheduleTrigger> {
    const found = await this.changeable(who, id);
    const generation = await this.schedules.renewTrigger(found.id, who.user.id);
    if (generation === null) throw problems.notFound('schedule');
    await this.audit.note(who, found.teamId, {
      action: 'schedule:trigger',
      object: found.id,
      detail: { name: found.name, projectId: found.projectId, rotated: generation > 1 },
    });
    return { url: this.view.urlOf(found.id), secret: triggerSecret(this.config.secretKey, found.id, generation) };
  }

  private async readable(who: Principal, id: string): Promise<StoredSchedule> {
    const found = await this.schedules.find(knownId('schedule', id));
    const mayRead =
      found &&
      (await this.projects.find(who, found.projectId).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ProblemError && error.code === 'PROJECT_NOT_FOUND') return false;
          throw error;
        },
      ));
    if (!mayRead) throw problems.notFound('schedule');
    return found;
  }

  /**
   * In person: what an agent sets up would run without it, and without the people who watch it. Managing the project is
   * not enough: its runs have its owner's rights and key.
   */
  private async changeable(who: Principal, id: string): Promise<StoredSchedule> {
    const found = await this.readable(who, id);
    const project = await this.projects.find(who, found.projectId);
    if (!schedulePolicy.change(who, project, found, await this.accountOf(found)))
      throw new ForbiddenError(OWNERS_ALONE, found.teamId);
    return found;
  }

  private async stoppable(who: Principal, id: string): Promise<StoredSchedule> {
    const found = await this.readable(who, id);
    const project = await this.projects.find(who, found.projectId);
    if (!schedulePolicy.stop(who, project, found, await this.accountOf(found)))
      throw problems.forbidden('pause or delete this schedule', found.teamId);
    return found;
  }

  private accountOf({ owner }: StoredSchedule): Promise<ServiceAccount | null> {
    return owner.isServiceAccount ? this.accounts.find(owner.userId) : Promise.resolve(null);
  }

  private async ownerOf(who: Principal, teamId: string, serviceAccountId: string | undefined): Promise<string> {
    if (serviceAccountId === undefined) return who.user.id;
    const account = isId('user', serviceAccountId) ? await this.accounts.find(serviceAccountId) : null;
    if (account?.teamId !== teamId || !serviceAccountPolicy.use(who, account))
      throw problems.notFound('service account');
    return account.id;
  }

  /** The session that is continued, which the caller may write in; null where each run has a new one. */
  private async continued(who: Principal, projectId: string, session: string): Promise<string | null> {
    if (session === 'new') return null;
    const found = await this.sessions.forWriting(who, session);
    if (found.projectId !== projectId) throw problems.sessionNotFound();
    return found.id;
  }
}

function nextOf(cron: string, timezone: string): Date | null {
  const [next] = nextTimes(cron, timezone, Date.now(), 1);
  return next === undefined ? null : new Date(next);
}

function refuseUnfitTimes(cron: string | null, timezone: string): void {
  const zoneFault = isTimezone(timezone) ? null : 'This is no time zone. One is: Europe/Berlin.';
  const fault = zoneFault ?? (cron === null ? null : cronFault(cron));
  const path = zoneFault === null ? 'cron' : 'timezone';
  if (fault !== null) throw new ProblemError('VALIDATION_FAILED', fault, { errors: [{ path, message: fault }] });
}

function changedOf(wanted: object): string[] {
  return Object.entries(wanted).flatMap(([what, to]) => (to === undefined ? [] : [what]));
}

function defined<T extends object>(wanted: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(wanted).filter(([, to]) => to !== undefined)) as never;
}
