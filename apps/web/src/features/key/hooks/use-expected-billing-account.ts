import type { PaidBy } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../key.api';

/** What my next turn in that team would be billed to; null while that is not known, and for those who send none. */
export function useExpectedBillingAccount(teamId: string): PaidBy | null {
  return useQuery(keysQuery).data?.paidBy[teamId] ?? null;
}
