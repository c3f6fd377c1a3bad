import type { CreateComment, DiffComment } from '@chirality/contracts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, rowsOf, within } from '../../../lib/http/api';
import { retryOnce } from '../../../lib/http/retry-once';
import { randomId } from '../../../lib/state/random-id';

/** Others may comment meanwhile, of which there is no event. */
const READ_AGAIN_MS = 6_000;
/** The worker looks at the code. */
const LOOK_MS = 60_000;

function keyOf(sessionId: string) {
  return ['comments', sessionId] as const;
}

/** Comments on changes that were not sent. `revision`: of the workspace, for what is outdated. */
export function commentsQuery(sessionId: string, revision: string) {
  return queryOptions({
    queryKey: [...keyOf(sessionId), revision],
    queryFn: ({ signal }): Promise<DiffComment[]> =>
      rowsOf(
        api.GET('/v1/sessions/{sessionId}/comments', { params: { path: { sessionId } }, signal, ...within(LOOK_MS) }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: READ_AGAIN_MS,
    retry: retryOnce,
  });
}

function useCommentsChanged(sessionId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(sessionId) });
}

/** `onAdded` is called once the list has it. */
export function useAddComment(sessionId: string, onAdded: (comment: CreateComment) => void) {
  const changed = useCommentsChanged(sessionId);
  return useMutation({
    mutationFn: (body: CreateComment) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/comments', { params: { path: { sessionId } }, body, ...within(LOOK_MS) }),
      ),
    onSuccess: async (_comment, body) => {
      await changed();
      onAdded(body);
    },
  });
}

export function useChangeComment(sessionId: string, onChanged: () => void) {
  const changed = useCommentsChanged(sessionId);
  return useMutation({
    mutationFn: ({ id, body }: Pick<DiffComment, 'id' | 'body'>) =>
      answerOf(
        api.PATCH('/v1/sessions/{sessionId}/comments/{commentId}', {
          params: { path: { sessionId, commentId: id } },
          body: { body },
          ...within(LOOK_MS),
        }),
      ),
    onSuccess: async () => {
      await changed();
      onChanged();
    },
    onError: changed,
  });
}

export function useRemoveComment(sessionId: string) {
  const changed = useCommentsChanged(sessionId);
  return useMutation({
    mutationFn: async (commentId: string) => {
      await api.DELETE('/v1/sessions/{sessionId}/comments/{commentId}', { params: { path: { sessionId, commentId } } });
    },
    onSettled: changed,
  });
}

/** A turn with all of them: those that were read, so that none goes that its sender has not seen. */
export function useSendComments(sessionId: string, onSent: (message: string) => void) {
  const changed = useCommentsChanged(sessionId);
  return useMutation({
    mutationFn: (body: { message: string; ids: string[] }) =>
      answerOf(
        api.POST('/v1/sessions/{sessionId}/comments/send', {
          params: { path: { sessionId }, header: { 'Idempotency-Key': randomId() } },
          body,
          ...within(LOOK_MS),
        }),
      ),
    onSuccess: (_turn, { message }) => onSent(message),
    onSettled: changed,
  });
}
