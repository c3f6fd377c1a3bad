import { setTimeout as delay } from 'node:timers/promises';
import type { Price } from '@chirality/contracts';
import type { ModelKeyRepository } from '@chirality/database';
import { costOfRequest, maskText, requestBounds } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { MessageUsage } from '../gateway/gateway.types';
import type { Admission, ModelRequest, RequestAuthorizer } from '../gateway/serve/request-authorizer';
import type { TurnUsageBinding } from './turn-costs';
import { TurnFailure } from '../outcome/turn-failure';
import { refusedKeySentence, type Account, type Author } from './account';
import type { AccountFinder } from './account-finder';
import type { Funding, RequestFunding } from './request-funding';

/** Counting tokens is free. */
const CHARGED_PATH = /^\/v1\/messages(\?|$)/;

/** An empty account is reported as a request that was wrong. */
const NO_CREDIT = /credit balance/i;

/**
 * How long a request waits for what other open ones hold of a budget before it takes what is left, and how often it
 * looks.
 */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** Lets a turn's requests pass at the cost of its author's account and within the turn's budget. */
export class TurnRequestAuthorizer implements RequestAuthorizer<TurnUsageBinding> {
  constructor(
    private readonly accounts: Pick<AccountFinder, 'accountOf'>,
    private readonly keys: Pick<ModelKeyRepository, 'markUsed' | 'markFailed'>,
    private readonly funding: Pick<RequestFunding, 'isBound' | 'reserve'>,
    private readonly prices: () => readonly Price[],
    private readonly log: Pick<Logger, 'warn'>,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  async admit(
    binding: TurnUsageBinding,
    { path, checked, cancelled }: ModelRequest,
  ): Promise<Admission | { refusal: string }> {
    const author = { teamId: binding.teamId, userId: binding.authorId, name: binding.authorName };
    const isCharged = CHARGED_PATH.test(path);
    const patientUntil = performance.now() + this.patienceMs;
    try {
      for (;;) {
        // A request that waited is billed to the account of the moment in which it continues.
        const finding = this.accounts.accountOf(author);
        // Not looked at where the request is incomplete.
        finding.catch(() => undefined);
        const bound = isCharged ? this.funding.isBound(binding) : null;
        const { fields } = await checked;
        const account = await finding;
        const bounds = once(() => requestBounds(this.prices(), fields, new Date()));
        const funding =
          account.demo || bound === null
            ? null
            : await this.funding.reserve(binding, bounds, performance.now() < patientUntil, bound);
        if (funding !== 'wait') return this.admission(binding, author, account, funding);
        await delay(LOOK_EVERY_MS, undefined, { signal: cancelled });
      }
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      binding.payments.refuse(error.error);
      return { refusal: error.error.detail };
    }
  }

  private admission(binding: TurnUsageBinding, author: Author, account: Account, funding: Funding | null): Admission {
    const { payments } = binding;
    const shortened = funding?.shortened ?? null;
    if (shortened) payments.answerShortened();
    return {
      account,
      ...(shortened ? { body: shortened } : {}),
      answered: (status, said) => this.noteAnswer(binding, account, author, status, said),
      ended: ({ used, stopReason, stored }) => {
        if (funding && used !== null) payments.answerEnded({ cut: shortened !== null && stopReason === 'max_tokens' });
        funding?.settle(used === null ? '0' : this.costOf(used), stored);
      },
    };
  }

  /** Nothing is held for a model without a price: where a budget binds, its requests are not passed on. */
  private costOf(used: MessageUsage): string {
    return costOfRequest(this.prices(), { model: used.model, usage: used, at: new Date() }).costUsd ?? '0';
  }

  private noteAnswer(
    { payments }: TurnUsageBinding,
    account: Account,
    author: Author,
    status: number,
    said: string | null,
  ): void {
    const refused = status === 401 || status === 403 || (status === 400 && NO_CREDIT.test(said ?? ''));
    const words = said === null ? null : maskText(said);
    if (refused) payments.keyRefused(refusedKeySentence(account, author, words));
    else if (status < 400) payments.keyAccepted();
    const { keyId } = account;
    if (keyId === null || (status >= 400 && !refused)) return;
    const noted = refused
      ? this.keys.markFailed(keyId, words ?? `The model’s service answered with status ${status}.`)
      : this.keys.markUsed(keyId);
    noted.catch((error: Error) => this.log.warn({ err: error, key: keyId }, 'key.use_not_noted'));
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
