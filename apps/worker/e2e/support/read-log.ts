import type { Envelope } from '@chirality/contracts';
import type { TestClient } from '@chirality/testing';

/** A session's log as it is read by REST, each event as the bytes it came in. */
export async function readLog(person: TestClient, sessionId: string): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const response = await fetch(`${person.baseUrl}/v1/sessions/${sessionId}/events?after=${all.length}&limit=500`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data: Envelope[] };
    if (data.length === 0) return all;
    const page = data.map((event) => JSON.stringify(event));
    expect(text.startsWith(`{"data":[${page.join(',')}]`)).toBe(true);
    all.push(...page);
  }
}
