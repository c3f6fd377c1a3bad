import { formatUsd } from './money';

/** What is known of a cost, as sessions, turns and reports state it. */
export type Cost = { costUsd: string | null; unpricedMessages: number; isEstimated?: boolean };

/** A cost for reading. One of which nothing is known is "unknown", never $0. */
export function costText({ costUsd, unpricedMessages, isEstimated = false }: Cost): string {
  if (costUsd === null) return 'unknown';
  const amount = unpricedMessages > 0 ? `at least ${formatUsd(costUsd)}` : formatUsd(costUsd);
  return isEstimated ? `${amount} (estimated)` : amount;
}

/** The exact amount, and why it is not the whole or not certain. */
export function costHint({ costUsd, unpricedMessages, isEstimated = false }: Cost): string {
  const missing =
    unpricedMessages === 0
      ? []
      : [
          `${unpricedMessages} ${unpricedMessages === 1 ? 'message' : 'messages'} of models without a price ${unpricedMessages === 1 ? 'is' : 'are'} not included.`,
        ];
  const estimated = isEstimated ? ['An answer was cut off; its length is counted from the part that arrived.'] : [];
  return [...(costUsd === null ? [] : [`$${costUsd}`]), ...missing, ...estimated].join(' · ');
}

/** Whether there is anything to show: nothing was spent, and nothing is unknown. */
export function isFree({ costUsd }: Cost): boolean {
  return costUsd !== null && Number(costUsd) === 0;
}
