import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';

export function sessionQueueQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['session-queue', sessionId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/sessions/{sessionId}/queue', { params: { path: { sessionId } }, signal })),
  });
}

export type QueueAct =
  | { act: 'edit'; itemId: string; message: string }
  | { act: 'move'; itemId: string; after: string | null }
  | { act: 'remove'; itemId: string }
  | { act: 'send'; itemId: string }
  | { act: 'resume' }
  | { act: 'clear' };

/** Whatever a person does to what waits; the list is asked for again afterwards, also where it was refused. */
export function useQueueAct(sessionId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: QueueAct) => perform(sessionId, act),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionQueueQuery(sessionId).queryKey }),
  });
}

async function perform(sessionId: string, act: QueueAct): Promise<void> {
  const session = { params: { path: { sessionId } } };
  const ofItem = (itemId: string) => ({ params: { path: { sessionId, itemId } } });
  const change = (itemId: string, body: { message?: string; after?: string | null }) =>
    answerOf(api.PATCH('/v1/sessions/{sessionId}/queue/{itemId}', { ...ofItem(itemId), body }));
  switch (act.act) {
    case 'resume':
      await answerOf(api.PATCH('/v1/sessions/{sessionId}/queue', { ...session, body: { paused: false } }));
      return;
    case 'clear':
      await answerOf(api.DELETE('/v1/sessions/{sessionId}/queue', session));
      return;
    case 'remove':
      await answerOf(api.DELETE('/v1/sessions/{sessionId}/queue/{itemId}', ofItem(act.itemId)));
      return;
    case 'send':
      await answerOf(api.POST('/v1/sessions/{sessionId}/queue/{itemId}/send', ofItem(act.itemId)));
      return;
    case 'edit':
      await change(act.itemId, { message: act.message });
      return;
    case 'move':
      await change(act.itemId, { after: act.after });
  }
}
