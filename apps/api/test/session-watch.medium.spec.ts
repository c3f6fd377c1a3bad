import type { Envelope, Page, Session } from '@chirality/contracts';
import type { ClaimedTurn } from '@chirality/database';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';
import { EventStreamReader } from './event-stream-reader';

jest.setTimeout(60_000);

const texts = (events: Envelope[]) => events.map((event) => JSON.stringify(event));
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1);

describe('watching a session', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let projectId: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    projectId = (await owner.createProject()).id;
  }, 60_000);
  afterAll(() => api.stop());

  async function runningTurn(client = owner): Promise<{ session: Session; turn: ClaimedTurn }> {
    const session = await client.createSession(projectId);
    await client.sendTurn(session.id, 'start');
    const turn = await api.worker.claim();
    await api.worker.become(turn, 'spawned');
    return { session, turn };
  }

  async function readAsJson(session: string): Promise<string[]> {
    const rows: string[] = [];
    for (let after = 0; ;) {
      const response = await owner.get(`/v1/sessions/${session}/events?after=${after}&limit=500`).expect(200);
      rows.push(...rawEnvelopes(response.text));
      const { nextCursor } = response.body as Page<Envelope>;
      if (nextCursor === null) return rows;
      after = Number(nextCursor);
    }
  }

  it('is the same, byte for byte, live, replayed, as SSE and as JSON, wherever one joins', async () => {
    const { session, turn } = await runningTurn();
    const live = await owner.live();
    expect(await live.attach(session.id)).toEqual({ lastEventId: 1 });
    const sse = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token);
    await api.worker.append(turn, 'chat:complete', {
      messageId: 'm',
      block: 0,
      text: 'NUL \0, lone \ud800, 😀, </script> & "quotes"',
    });
    await api.worker.append(turn, 'tool:start', {
      toolUseId: 't',
      name: 'Edit',
      mutating: true,
      input: { b: 1, '2': [null, 1e21, -0.5], a: { __proto__: null, z: '' } },
    });
    const joiners = [];
    for (let n = 0; n < 10; n++) {
      const streaming = api.worker.stream(turn, 60);
      const joiner = await owner.live();
      await joiner.attach(session.id, n * 7);
      joiners.push({ joiner, after: n * 7 });
      await streaming;
    }
    await api.worker.settle(turn);
    const last = 3 + 600 + 1;
    const seen = texts(await live.until(session.id, last));
    const json = await readAsJson(session.id);
    expect(json.map((text) => (JSON.parse(text) as Envelope).id)).toEqual(upTo(last));
    expect(seen).toEqual(json);
    for (const { joiner, after } of joiners) {
      expect(texts(await joiner.until(session.id, last))).toEqual(json.slice(after));
      joiner.close();
    }
    const replay = await owner.live();
    await replay.attach(session.id);
    expect(texts(await replay.until(session.id, last))).toEqual(json);
    const streamed = await sse.until(last);
    expect(streamed.map(({ data }) => data)).toEqual(json);
    expect(streamed.map(({ id, event }) => [Number(id), event])).toEqual(
      json.map((text) => [(JSON.parse(text) as Envelope).id, (JSON.parse(text) as Envelope).kind]),
    );
    const resumed = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token, {
      lastEventId: last - 2,
    });
    expect((await resumed.until(2)).map(({ data }) => data)).toEqual(json.slice(-2));
    for (const one of [live, replay, sse, resumed]) one.close();
  }, 60_000);

  it('has no gap and no repeat though Redis cuts every subscriber again and again', async () => {
    const { session, turn } = await runningTurn();
    const viewers = await Promise.all([owner.live(), owner.live()]);
    for (const viewer of viewers) await viewer.attach(session.id);
    const sse = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events`, owner.token);
    let done = false;
    let cut = 0;
    const cutting = (async () => {
      while (!done) cut += Number((await api.redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub')).slice(1));
    })();
    for (let n = 0; n < 40; n++) await api.worker.stream(turn, 50);
    done = true;
    await cutting;
    expect(cut).toBeGreaterThan(2);
    const last = 1 + 2_000;
    const json = await readAsJson(session.id);
    expect(json).toHaveLength(last);
    for (const viewer of viewers) expect(texts(await viewer.until(session.id, last))).toEqual(json);
    expect((await sse.until(last)).map(({ data }) => data)).toEqual(json);
    for (const one of [...viewers, sse]) one.close();
    await api.worker.settle(turn);
  }, 60_000);

  it('continues while Redis is away altogether, also for turns sent meanwhile', async () => {
    const { session, turn } = await runningTurn();
    const live = await owner.live();
    await live.attach(session.id);
    await api.redis.goDown();
    await api.worker.stream(turn, 20);
    await live.until(session.id, 21, 5_000);
    await api.worker.settle(turn);
    const next = await owner.sendTurn(session.id, 'sent without Redis');
    expect(next.status).toBe('queued');
    await live.until(session.id, 23, 5_000);
    await api.redis.comeUp();
    await api.worker.messaging.whenConnected();
    const claimed = await api.worker.claim();
    await api.worker.become(claimed, 'spawned');
    await api.worker.stream(claimed, 20);
    await api.worker.settle(claimed);
    expect(texts(await live.until(session.id, 44))).toEqual(await readAsJson(session.id));
    live.close();
  }, 60_000);

  it('refuses a cursor beyond the log, on every transport', async () => {
    const { session } = await runningTurn();
    const live = await owner.live();
    expect(await live.attach(session.id, 99)).toMatchObject({ code: 'CURSOR_AHEAD', status: 400, lastEventId: 1 });
    expect(await live.attach(session.id, 1)).toEqual({ lastEventId: 1 });
    const json = await owner.get(`/v1/sessions/${session.id}/events?after=99`).expect(400);
    expect(json.body).toMatchObject({ code: 'CURSOR_AHEAD' });
    const sse = new EventStreamReader(`${api.url}/v1/sessions/${session.id}/events?after=99`, owner.token);
    await waitFor(() => sse.ended, { what: 'the stream is refused' });
    expect(sse.status).toBe(400);
    live.close();
  });

  it('tells a client that reads too slowly to come again, and loses nothing by it', async () => {
    const { session, turn } = await runningTurn();
    const slow = await owner.live();
    await slow.attach(session.id);
    const engine = slow.socket.io.engine as unknown as {
      transport: { ws: { _socket: { pause(): void; resume(): void } } };
    };
    engine.transport.ws._socket.pause();
    for (let n = 0; n < 40; n++) await api.worker.stream(turn, 10, 60_000);
    engine.transport.ws._socket.resume();
    await waitFor(() => slow.resyncs.length > 0, { what: 'the slow client is notified', timeoutMs: 20_000 });
    const after = slow.resyncs[0]?.after ?? 0;
    expect(slow.seen(session.id).map(({ id }) => id)).toEqual(upTo(after));
    expect(after).toBeLessThan(401);
    await slow.attach(session.id, after);
    const json = await readAsJson(session.id);
    expect(texts(await slow.until(session.id, 401))).toEqual(json);
    slow.close();
  }, 60_000);

  it('shows on one node what is written through another, and who is there on both', async () => {
    const other = await (await api.startNode()).login();
    const { session, turn } = await runningTurn();
    const here = await owner.live();
    const there = await other.live();
    await here.attach(session.id);
    await there.attach(session.id);
    await api.worker.stream(turn, 100);
    expect(texts(await there.until(session.id, 101))).toEqual(texts(await here.until(session.id, 101)));
    await waitFor(() => there.people.get(session.id)?.length === 1, { what: 'presence on the second node' });
    expect(there.people.get(session.id)).toEqual([{ userId: owner.user.id, name: 'Owner', typing: false }]);
    expect(await here.ask('session:typing', { session: session.id })).toEqual({});
    await waitFor(() => here.people.get(session.id)?.[0]?.typing === true, { what: 'typing is shown here' });
    await waitFor(() => there.people.get(session.id)?.[0]?.typing === true, { what: 'typing is shown there' });
    here.close();
    there.close();
  }, 60_000);

  it('begins with a transcript that the events after it continue', async () => {
    const { session, turn } = await runningTurn();
    await api.worker.append(turn, 'chat:delta', { messageId: 'm', block: 0, text: 'Hel' });
    const first = await owner.get(`/v1/sessions/${session.id}/transcript`).expect(200);
    expect(first.body).toMatchObject({
      through: 2,
      transcript: { lastEventId: 2, turns: [{ message: 'start', items: [{ text: 'Hel' }] }] },
    });
    await api.worker.append(turn, 'chat:delta', { messageId: 'm', block: 0, text: 'lo' });
    const second = await owner.get(`/v1/sessions/${session.id}/transcript`).expect(200);
    expect(second.body).toMatchObject({ through: 3, transcript: { turns: [{ items: [{ text: 'Hello' }] }] } });
  });
});

/** The envelopes of a page as the bytes that were sent. */
function rawEnvelopes(text: string): string[] {
  const body = JSON.parse(text) as Page<Envelope>;
  const rebuilt = `{"data":[${body.data.map((event) => JSON.stringify(event)).join(',')}],"nextCursor":${JSON.stringify(body.nextCursor)}}`;
  expect(rebuilt).toBe(text);
  return body.data.map((event) => JSON.stringify(event));
}
