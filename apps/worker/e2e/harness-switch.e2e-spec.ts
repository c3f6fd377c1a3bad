import { join } from 'node:path';
import type { Harness, HarnessName, Page, Session } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import { Client } from 'pg';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { untilGone } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

const ECHO = 'echo' as HarnessName;

describe('a session and what runs it', () => {
  let product: FaultStack;

  beforeAll(async () => {
    product = await startFaultStack({
      env: { NODE_OPTIONS: `-r ${join(__dirname, 'support/echo-harness.cjs')}`, CHIRALITY_PARKED_MS: '60000' },
    });
  });
  afterAll(() => product?.stop());

  const change = (session: WatchedSession, harness: HarnessName) =>
    product.person.call<Session>('PATCH', `/v1/sessions/${session.id}`, { harness });

  it('offers both, and the versions of the program that they run', async () => {
    const { body } = await product.person.call<Page<Harness>>('GET', '/v1/harnesses');
    expect(body.data).toEqual(
      ['claude-code', 'agent-sdk'].map((name) => ({
        name,
        available: true,
        reason: null,
        versions: [expect.stringMatching(/^2\./)],
      })),
    );
  });

  it('alternates between the harnesses for ten turns, and keeps its memory and its bill', async () => {
    const session = await WatchedSession.open(product.person, product.projectId);
    const conversations = new Set<string | null>();
    let spent = 0;
    for (let n = 0; n < 10; n += 1) {
      const harness = n % 2 === 0 ? 'claude-code' : 'agent-sdk';
      expect((await change(session, harness)).body).toMatchObject({ harness });
      const turn = await session.end(await session.send(`[[text Answer ${n}.]]`), 60_000);
      expect(turn).toMatchObject({ error: null, text: `Answer ${n}.`, reportedCostUsd: turn.costUsd });
      conversations.add(turn.claude.sessionId);
      expect(conversations.size).toBe(1);
      const asked = JSON.stringify(product.stack.model?.requests().at(-1)?.body);
      for (let earlier = 0; earlier < n; earlier += 1) expect(asked).toContain(`Answer ${earlier}.`);
      spent += Number(turn.costUsd);
      const { body } = await product.person.call<Session>('GET', `/v1/sessions/${session.id}`);
      expect(Number(body.costUsd)).toBeCloseTo(spent, 10);
    }
    session.close();
  });

  it('has its next turn on the process that waits, with either', async () => {
    const session = await WatchedSession.open(product.person, product.projectId, { harness: 'agent-sdk' });
    for (const process of ['cold', 'parked', 'parked']) {
      const turn = await session.end(await session.send('[[text Here.]]'), 60_000);
      expect(session.payloads(turn, 'turn:start')).toMatchObject([{ process }]);
      expect(session.payloads(turn, 'hook:event').map(({ name }) => name)).toEqual(['UserPromptSubmit', 'Stop']);
    }
    await product.person.call('DELETE', `/v1/sessions/${session.id}`);
    await untilGone(session.id);
    session.close();
  });

  it('refuses one that no worker has', async () => {
    const session = await WatchedSession.open(product.person, product.projectId);
    expect(await change(session, 'nothing' as HarnessName)).toMatchObject({ status: 400 });
    session.close();
  });

  it('runs with a harness that nothing but the list of them knows', async () => {
    const session = await WatchedSession.open(product.person, product.projectId);
    const database = new Client({ connectionString: product.stack.postgres.url });
    await database.connect();
    await database.query('UPDATE session SET harness = $2 WHERE id = $1', [session.id, ECHO]);
    await database.end();
    for (const n of [1, 2]) {
      const turn = await session.end(await session.send('Hello'), 60_000);
      expect(turn).toMatchObject({ status: 'completed', text: `Echo ${n}: Hello` });
      expect(session.payloads(turn, 'turn:start')).toMatchObject([{ process: n === 1 ? 'cold' : 'parked' }]);
    }
    await waitFor(async () => (await product.person.call('GET', `/v1/sessions/${session.id}/events`)).status === 200, {
      what: 'its log can be read',
    });
    session.close();
  });
});
