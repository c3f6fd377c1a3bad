import type { Turn } from '@chirality/contracts';
import { waitFor, type TestClient } from '@chirality/testing';

/** Sends a message as a browser's outbox does: with one key, again and again until there is an answer that lasts. */
export async function sendUntilAccepted(
  person: TestClient,
  sessionId: string,
  message: string,
  key: string,
  timeoutMs = 30_000,
): Promise<Turn> {
  let turn: Turn | null = null;
  await waitFor(
    async () => {
      const answer = await person
        .call<{ turn: Turn }>('POST', `/v1/sessions/${sessionId}/turns`, { message }, { 'idempotency-key': key })
        .catch(() => null);
      if (answer === null || answer.status === 503) return false;
      if (answer.status !== 202) throw new Error(`POST turns: ${answer.status} ${JSON.stringify(answer.body)}`);
      turn = answer.body.turn;
      return true;
    },
    { what: 'the turn is accepted', timeoutMs, everyMs: 100 },
  );
  return turn as unknown as Turn;
}
