import type { PaidBy } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../key.api';

/** Who would pay for my next turn in that team; null while that is not known, and for those who send none. */
export function useExpectedPayer(teamId: string): PaidBy | null {
  return useQuery(keysQuery).data?.paidBy[teamId] ?? null;
}
