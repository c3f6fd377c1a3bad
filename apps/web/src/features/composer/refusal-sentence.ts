import { formatTime } from '../../lib/format/time';
import type { OutboxEntry } from './outbox';

/** Why a message was refused and what to do; of a busy session, who has it and since when, on the reader's clock. */
export function refusalSentence({ code, detail, problem }: NonNullable<OutboxEntry['refusal']>): string {
  const holder = (problem.holder as { name?: unknown } | undefined)?.name;
  if (code !== 'TURN_IN_PROGRESS' || typeof holder !== 'string' || typeof problem.since !== 'string') return detail;
  return `${holder}’s turn runs since ${formatTime(problem.since)}. Your message is kept here: send it when that has ended, or stop it.`;
}
