import type { Turn } from '@chirality/contracts';
import { request } from '../../lib/http/api-client';
import type { OutboxEntry } from '../../lib/message/outbox';

export function interruptTurn(sessionId: string): Promise<unknown> {
  return request(`/v1/sessions/${sessionId}/interrupt`, { method: 'POST' });
}

export async function sendTurn(entry: OutboxEntry, clientId: string): Promise<Turn> {
  const { turn } = await request<{ turn: Turn }>(`/v1/sessions/${entry.sessionId}/turns`, {
    method: 'POST',
    body: { message: entry.message, options: entry.options },
    headers: { 'idempotency-key': entry.key, 'x-client-id': clientId },
  });
  return turn;
}
