import { formatTime } from '../../lib/format/time';
import type { OutboxEntry } from '../../lib/message/outbox';

type Refusal = NonNullable<OutboxEntry['refusal']>;

/** Whether the cause of a refusal has ended: the turn that was in the way is over. */
export function isPast({ code }: Refusal, isBusy: boolean): boolean {
  return code === 'TURN_IN_PROGRESS' && !isBusy;
}

/**
 * Why a message was refused and what to do now; of a busy session, who has it and since when, on the reader's clock.
 */
export function refusalSentence(refusal: Refusal, isBusy: boolean): string {
  const { code, detail, problem } = refusal;
  if (isPast(refusal, isBusy))
    return 'Another turn was running when you sent this. It has ended: send your message now.';
  const holder = (problem.holder as { name?: unknown } | undefined)?.name;
  if (code !== 'TURN_IN_PROGRESS' || typeof holder !== 'string' || typeof problem.since !== 'string') return detail;
  return `${holder}’s turn has been running since ${formatTime(problem.since)}. Your message is kept here: send it when that turn has ended, or stop it.`;
}
