import { useQuery } from '@tanstack/react-query';
import { atStakeQuery } from './changes.api';
import { atStakeSentence } from './at-stake-sentence';

/** Says what exists only in the session that a user is about to archive. */
export function AtStake({ sessionId }: { sessionId: string }) {
  const counts = useQuery(atStakeQuery(sessionId));
  const sentence = counts.data === undefined ? null : atStakeSentence(counts.data);
  return (
    <span role="status" className="mt-2 block font-medium">
      {counts.isPending && 'Checking for work that exists only in this session…'}
      {counts.isError && 'Whether the session has uncommitted work could not be checked.'}
      {sentence}
    </span>
  );
}
