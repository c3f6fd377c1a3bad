import { Inject, Injectable } from '@nestjs/common';
import { isId, TRIGGER_LIMIT_BYTES, type TriggerReceipt } from '@chirality/contracts';
import { ScheduleRepository } from '@chirality/database';
import { AttemptCounter } from '@chirality/messaging';
import { CONFIG, ProblemError, type Config } from '@chirality/platform';
import type { Request } from 'express';
import { peerKey } from '../core/address/peer-of';
import { problems } from '../core/problem/problems';
import { limitedBody } from '../core/transfer/limited-body';
import { ScheduleRunner } from './schedule-runner';
import { triggerSecret, verifyTrigger } from './trigger-signature';

/** Of one schedule, verified. */
const CALLS = { attempts: 30, windowMs: 60_000 };
/** From one address, that are not verified: one who guesses uses up nothing of the schedule's. */
const UNVERIFIED = { attempts: 60, windowMs: 60_000 };
const UNKNOWN = { attempts: 60, windowMs: 15 * 60_000 };

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
    const peer = peerKey(request.ip);
    const schedule = isId('schedule', scheduleId) ? await this.schedules.find(scheduleId) : null;
    if (!schedule || schedule.triggerGeneration === 0) {
      await this.limit('trigger:unknown', UNKNOWN, peer);
      throw problems.notFound('trigger');
    }
    const giveBack = await this.limit('trigger:unverified', UNVERIFIED, peer);
    const body = await bodyOf(request);
    const secret = triggerSecret(this.config.secretKey, schedule.id, schedule.triggerGeneration);
    const verified = verifyTrigger(request.headers, body, secret);
    if ('fault' in verified) throw new ProblemError('UNAUTHENTICATED', verified.fault);
    await giveBack();
    await this.limit('trigger:schedule', CALLS, schedule.id);
    if (schedule.pausedBecause !== null)
      throw new ProblemError('CONFLICT', 'The schedule is paused. Someone who may has to resume it.');
    const runId = await this.schedules.addRun(schedule.id, 'trigger', verified.slot);
    if (runId === null) return { outcome: 'repeated' };
    const payload = body.length === 0 ? null : body.toString('utf8');
    return { outcome: await this.runner.run(schedule, runId, payload) };
  }

  private async limit(name: string, limit: { attempts: number; windowMs: number }, key: string) {
    const taken = await this.counter.take(name, limit, key);
    if (!taken.allowed) throw problems.rateLimited(taken.retryAfterMs);
    return taken.giveBack;
  }
}

async function bodyOf(request: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const tooLarge = () => new ProblemError('MESSAGE_TOO_LARGE', 'A request to a trigger may have at most 64 KiB.');
  const body = limitedBody(request, { limitBytes: TRIGGER_LIMIT_BYTES, tooLarge, noun: 'request' });
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
