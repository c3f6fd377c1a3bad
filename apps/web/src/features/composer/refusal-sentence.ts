import { formatTime } from '../../lib/format/time';
import type { OutboxEntry } from '../../lib/message/outbox';

type Refusal = NonNullable<OutboxEntry['refusal']>;

/** Whether the cause of a refusal has ended: the turn that was in the way, there or in the shared files, is over. */
export function isPast({ code }: Refusal, isBusy: boolean): boolean {
  return (code === 'TURN_IN_PROGRESS' || code === 'WORKSPACE_IN_USE') && !isBusy;
}

/**
 * Why a message was refused and what to do now; of a busy session, who has it and since when, on the reader's clock.
 */
export function refusalSentence(refusal: Refusal, isBusy: boolean): string {
  const { code, detail, problem } = refusal;
  if (isPast(refusal, isBusy))
    return 'Another turn was running when you sent this. It has ended: send your message now.';
  const holder = (problem.holder as { name?: unknown } | undefined)?.name;
  if (typeof holder !== 'string' || typeof problem.since !== 'string') return detail;
  if (code === 'WORKSPACE_IN_USE') {
    const title = (problem.session as { title?: unknown } | undefined)?.title;
    return `${holder}’s turn${typeof title === 'string' ? ` in “${title}”` : ''}, which shares these files, has been running since ${formatTime(problem.since)}. Your message is kept here: send it when that turn has ended.`;
  }
  if (code !== 'TURN_IN_PROGRESS') return detail;
  return `${holder}’s turn has been running since ${formatTime(problem.since)}. Your message is kept here: send it when that turn has ended, or stop it.`;
}
