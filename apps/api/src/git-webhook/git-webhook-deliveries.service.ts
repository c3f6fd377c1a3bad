import { Injectable } from '@nestjs/common';
import { GIT_WEBHOOK_LIMIT_BYTES, isId, type GitWebhookReceipt } from '@chirality/contracts';
import { GitWebhookRepository } from '@chirality/database';
import { gitWebhookSealOf } from '@chirality/domain';
import { AttemptCounter } from '@chirality/messaging';
import { ProblemError, SecretBox } from '@chirality/platform';
import type { Request } from 'express';
import { problems } from '../core/problem/problems';
import { countUnknown, readSigned, type SignedRequestRules } from '../core/transfer/signed-request';
import { mentionedPullRequests } from './mentioned-pull-requests';
import { Nudges } from './nudges';
import { verifyDelivery } from './verify-delivery';

const RULES: SignedRequestRules = {
  name: 'git-webhook',
  noun: 'delivery',
  limitBytes: GIT_WEBHOOK_LIMIT_BYTES,
  tooLarge: 'A delivery may have at most 2 MiB.',
  unknown: { attempts: 60, windowMs: 15 * 60_000 },
  unverified: { attempts: 240, windowMs: 60_000 },
  verified: { attempts: 240, windowMs: 60_000 },
};

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
    const hook = isId('gitWebhook', hookId) ? await this.webhooks.findSealed(hookId) : null;
    if (!hook) {
      await countUnknown(this.counter, RULES, request);
      throw problems.notFound('webhook');
    }
    const secret = this.secrets.open(hook.sealed, gitWebhookSealOf(hook.projectId, hook.id)).toString('utf8');
    const { body, verified } = await readSigned(this.counter, RULES, { id: hook.id, request }, async (sent) => {
      const delivery = verifyDelivery(request.headers, sent, secret);
      if (typeof delivery !== 'string') return delivery;
      await this.webhooks.noteFailure(hook.id, delivery);
      throw new ProblemError('UNAUTHENTICATED', delivery);
    });
    const about = mentionedPullRequests(body, request.headers['content-type']);
    const sessions = await this.webhooks.accept({ hook, delivery: verified, about });
    if (sessions === null) return { outcome: 'repeated' };
    for (const sessionId of sessions) this.nudges.tell(sessionId);
    return { outcome: 'noted' };
  }
}
