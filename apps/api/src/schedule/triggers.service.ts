import { Inject, Injectable } from '@nestjs/common';
import { isId, TRIGGER_LIMIT_BYTES, type TriggerReceipt } from '@chirality/contracts';
import { ScheduleRepository } from '@chirality/database';
import { AttemptCounter } from '@chirality/messaging';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import type { Request } from 'express';
import { problems } from '../core/problem/problems';
import { countUnknown, readSigned, type SignedRequestRules } from '../core/transfer/signed-request';
import { ScheduleRunner } from './schedule-runner';
import { triggerSecret, verifyTrigger } from './trigger-signature';

const RULES: SignedRequestRules = {
  name: 'trigger',
  noun: 'request',
  limitBytes: TRIGGER_LIMIT_BYTES,
  tooLarge: 'A request to a trigger may have at most 64 KiB.',
  unknown: { attempts: 60, windowMs: 15 * 60_000 },
  unverified: { attempts: 60, windowMs: 60_000 },
  verified: { attempts: 30, windowMs: 60_000 },
};

/** Takes signed requests that start a schedule. */
@Injectable()
export class TriggersService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly schedules: ScheduleRepository,
    private readonly runner: ScheduleRunner,
    private readonly counter: AttemptCounter,
  ) {}

  async take(scheduleId: string, request: Request): Promise<TriggerReceipt> {
    const schedule = isId('schedule', scheduleId) ? await this.schedules.find(scheduleId) : null;
    if (!schedule || schedule.triggerGeneration === 0) {
      await countUnknown(this.counter, RULES, request);
      throw problems.notFound('trigger');
    }
    const secret = triggerSecret(this.config.secretKey, schedule.id, schedule.triggerGeneration);
    const { body, verified } = await readSigned(this.counter, RULES, { id: schedule.id, request }, (sent) => {
      const found = verifyTrigger(request.headers, sent, secret);
      if ('fault' in found) throw new ProblemError('UNAUTHENTICATED', found.fault);
      return found;
    });
    if (schedule.pausedBecause !== null)
      throw new ProblemError('CONFLICT', 'The schedule is paused. Someone who may has to resume it.');
    const runId = await this.schedules.addRun(schedule.id, 'trigger', verified.slot);
    if (runId === null) return { outcome: 'repeated' };
    const payload = body.length === 0 ? null : body.toString('utf8');
    return { outcome: await this.runner.run(schedule, runId, payload) };
  }
}
