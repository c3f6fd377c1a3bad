import { useQuery } from '@tanstack/react-query';
import { projectAtStakeQuery } from '../project.api';
import { projectAtStakeSentence } from '../project-at-stake-sentence';

/** Says how many sessions and turns archiving this project concerns. */
export function ProjectAtStake({ projectId }: { projectId: string }) {
  const counts = useQuery(projectAtStakeQuery(projectId));
  return (
    <span role="status" className="mt-2 block font-medium">
      {counts.isPending && 'Counting its sessions…'}
      {counts.isError && 'Its sessions could not be counted.'}
      {counts.data !== undefined && projectAtStakeSentence(counts.data)}
    </span>
  );
}
