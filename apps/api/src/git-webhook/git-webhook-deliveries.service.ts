import { Injectable } from '@nestjs/common';
import { GIT_WEBHOOK_LIMIT_BYTES, isId, type GitWebhookReceipt } from '@chirality/contracts';
import { GitWebhookRepository } from '@chirality/database';
import { gitWebhookSealOf } from '@chirality/domain';
import { AttemptCounter } from '@chirality/messaging';
import { ProblemError, SecretBox } from '@chirality/platform';
import type { Request } from 'express';
import { peerKey } from '../core/address/peer-of';
import { problems } from '../core/problem/problems';
import { limitedBody } from '../core/transfer/limited-body';
import { mentionedPullRequests } from './mentioned-pull-requests';
import { Nudges } from './nudges';
import { verifyDelivery } from './verify-delivery';

/** Of one webhook, verified. */
const DELIVERIES = { attempts: 240, windowMs: 60_000 };
/** From one address, that are not verified or are being so: a person who guesses uses up nothing of the webhook's. */
const UNVERIFIED = { attempts: 240, windowMs: 60_000 };
/** To addresses that there are not, from one address. */
const UNKNOWN_HOOKS = { attempts: 60, windowMs: 15 * 60_000 };

/** Takes what git hosts report. It changes nothing itself: pull requests are read again, by the host's API. */
@Injectable()
export class GitWebhookDeliveriesService {
  constructor(
    private readonly webhooks: GitWebhookRepository,
    private readonly secrets: SecretBox,
    private readonly counter: AttemptCounter,
    private readonly nudges: Nudges,
  ) {}

  async take(hookId: string, request: Request): Promise<GitWebhookReceipt> {
    const peer = peerKey(request.ip);
    const hook = isId('gitWebhook', hookId) ? await this.webhooks.findSealed(hookId) : null;
    if (!hook) {
      await this.limit('git-webhook:unknown', UNKNOWN_HOOKS, peer);
      throw problems.notFound('webhook');
    }
    const giveBack = await this.limit('git-webhook:unverified', UNVERIFIED, peer);
    const body = await bodyOf(request);
    const secret = this.secrets.open(hook.sealed, gitWebhookSealOf(hook.projectId, hook.id)).toString('utf8');
    const delivery = verifyDelivery(request.headers, body, secret);
    if (typeof delivery === 'string') {
      await this.webhooks.noteFailure(hook.id, delivery);
      throw new ProblemError('UNAUTHENTICATED', delivery);
    }
    await giveBack();
    await this.limit('git-webhook:hook', DELIVERIES, hook.id);
    const about = mentionedPullRequests(body, request.headers['content-type']);
    const sessions = await this.webhooks.accept({ hook, delivery, about });
    if (sessions === null) return { outcome: 'repeated' };
    for (const sessionId of sessions) this.nudges.tell(sessionId);
    return { outcome: 'noted' };
  }

  private async limit(name: string, limit: { attempts: number; windowMs: number }, key: string) {
    const taken = await this.counter.take(name, limit, key);
    if (!taken.allowed) throw problems.rateLimited(taken.retryAfterMs);
    return taken.giveBack;
  }
}

async function bodyOf(request: Request): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const tooLarge = () => new ProblemError('MESSAGE_TOO_LARGE', 'A delivery may have at most 2 MiB.');
  const body = limitedBody(request, { limitBytes: GIT_WEBHOOK_LIMIT_BYTES, tooLarge, noun: 'delivery' });
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
