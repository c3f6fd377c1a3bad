import type { TurnView } from '@chirality/domain';
import type { Cost } from '../../lib/format/cost';

export function costOfTurn({ costUsd, unpricedMessages, isCostEstimated }: TurnView): Cost {
  return { costUsd, unpricedMessages, isEstimated: isCostEstimated };
}
