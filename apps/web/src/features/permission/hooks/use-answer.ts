import type { PermissionDecision } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../../lib/http/api-error';
import { answerPermission } from '../api/answer-permission';

export type Answering = {
  give: (decision: PermissionDecision) => void;
  isGiving: boolean;
  /** A sentence when the answer could not be given; somebody who was faster is not a failure. */
  failure: string | null;
  /** A sentence once the answer is given, or somebody else's is, and the log has not said so yet. */
  settled: string | null;
};

export function useAnswer(sessionId: string, permissionId: string): Answering {
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (decision: PermissionDecision) => answerPermission({ sessionId, permissionId, ...decision }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['rules', sessionId] }),
  });
  const wasFaster = answer.error instanceof ApiError && answer.error.code === 'PERMISSION_RESOLVED';
  return {
    give: answer.mutate,
    // After the answer, the card stays until the log says so: nobody can answer twice meanwhile.
    isGiving: answer.isPending || answer.isSuccess || wasFaster,
    settled: answer.isSuccess ? 'Your answer is given.' : wasFaster ? messageOf(answer.error) : null,
    failure: answer.isError && !wasFaster ? messageOf(answer.error) : null,
  };
}
