import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/http/api';
import type { OutboxEntry, Sent } from '../../lib/message/outbox';

/** `onRefused` is called wherever the person is by then. */
export function useInterruptTurn(sessionId: string, onRefused: (error: Error) => void) {
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/sessions/{sessionId}/interrupt', { params: { path: { sessionId } } })),
    onError: onRefused,
  });
}

export async function sendTurn(
  { sessionId, key, message, attachments, options, outputSchema, whenBusy }: OutboxEntry,
  clientId: string,
): Promise<Sent> {
  return answerOf(
    api.POST('/v1/sessions/{sessionId}/turns', {
      params: { path: { sessionId }, header: { 'Idempotency-Key': key, 'X-Client-Id': clientId } },
      body: {
        message,
        options,
        attachments: attachments.map(({ id }) => id),
        ...(outputSchema === null ? {} : { outputSchema }),
        ...(whenBusy === 'refuse' ? {} : { whenBusy }),
      },
    }),
  );
}
