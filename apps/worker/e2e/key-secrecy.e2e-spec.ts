import { randomBytes } from 'node:crypto';
import type { ModelKey, ModelKeyList, Turn } from '@chirality/contracts';
import { RIGHTS_ENDED } from '@chirality/domain';
import { TestClient, waitFor } from '@chirality/testing';
import { startEchoingService, type EchoingService } from './support/echoing-service';
import { startFaultStack, type FaultStack } from './support/fault-stack';
import { filesThatHold, processesThatShow, redisHolds, tablesThatHold } from './support/find-secret';
import { addPerson } from './support/people';
import { turnProcesses } from './support/process-scan';
import { WatchedSession } from './support/watched-session';

jest.setTimeout(180_000);

/** Of this run alone, so that other runs on the machine are not mistaken for it. */
const canary = () => `sk-ant-api03-${randomBytes(36).toString('hex')}`;
const SERVICE = canary();
const TEAM = canary();
const NEXT_TEAM = canary();
const ADA = canary();
const WRONG = canary();
const BEA = canary();

const ASK = '[[tool Bash {"command":"touch asked.txt"}]] [[text Asked.]]';

describe('keys of the model’s service', () => {
  let service: EchoingService;
  let product: FaultStack;
  let owner: TestClient;
  let ada: TestClient;
  let watched: WatchedSession;

  beforeAll(async () => {
    service = await startEchoingService();
    product = await startFaultStack({ env: { ANTHROPIC_BASE_URL: service.url, ANTHROPIC_API_KEY: SERVICE } });
    service.target = product.stack.model?.url ?? '';
    owner = product.person;
    ada = await addPerson(product.stack, 'Ada');
    watched = await WatchedSession.open(owner, product.projectId, { visibility: 'project' });
  });
  afterAll(async () => {
    watched?.close();
    await product?.stop();
    await service?.close();
  });

  async function setKey(who: TestClient, scope: 'team' | 'user', value: string): Promise<ModelKey> {
    const answer = await who.call<ModelKey>('POST', '/v1/keys', { scope, value });
    expect(answer).toMatchObject({ status: 201, body: { scope, hint: value.slice(-4) } });
    return answer.body;
  }

  const keysOf = async (who: TestClient) => (await who.call<ModelKeyList>('GET', '/v1/keys')).body;
  const send = (who: TestClient, message: string) => who.send(watched.id, message);

  /** Who paid for a turn: what its events say, and what its requests carried. */
  async function paid(who: TestClient, message: string): Promise<{ turn: Turn; how: unknown; keys: string[] }> {
    const before = service.keys().length;
    const turn = await watched.end(await send(who, message));
    const [{ paidBy, process } = {}] = watched.payloads(turn, 'turn:start');
    return { turn, how: [turn.status, process, paidBy], keys: [...new Set(service.keys().slice(before))] };
  }

  async function untilAsked(turn: Turn): Promise<string> {
    const asked = await watched.saw('permission:request', turn);
    return (asked.payload as { permissionId: string }).permissionId;
  }
  const allow = (permissionId: string) =>
    owner.call('POST', `/v1/sessions/${watched.id}/permissions/${permissionId}`, { decision: 'allow_once' });

  it('pay in this order: the author’s own, the team’s, the installation’s; no process that waited meets another key', async () => {
    expect(await paid(owner, '[[text One.]]')).toMatchObject({
      how: ['completed', 'cold', 'service'],
      keys: [SERVICE],
    });
    await setKey(owner, 'team', TEAM);
    expect(await paid(owner, '[[text Two.]]')).toMatchObject({ how: ['completed', 'cold', 'team'], keys: [TEAM] });
    expect(await paid(owner, '[[text Three.]]')).toMatchObject({ how: ['completed', 'parked', 'team'], keys: [TEAM] });
    await setKey(ada, 'user', ADA);
    expect(await paid(ada, '[[text Four.]]')).toMatchObject({ how: ['completed', 'cold', 'user'], keys: [ADA] });
    expect(await paid(ada, '[[text Five.]]')).toMatchObject({ how: ['completed', 'parked', 'user'], keys: [ADA] });
    expect(await paid(owner, '[[text Six.]]')).toMatchObject({ how: ['completed', 'cold', 'team'], keys: [TEAM] });
    expect((await keysOf(ada)).data).toMatchObject([
      { scope: 'team' },
      { scope: 'user', lastUsedAt: expect.any(String) as string, lastError: null },
    ]);
  });

  it('are replaced while a turn runs: it continues, and its next request carries the new one', async () => {
    const before = service.keys().length;
    const turn = await send(owner, ASK);
    const permissionId = await untilAsked(turn);
    await setKey(owner, 'team', NEXT_TEAM);
    await allow(permissionId);
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Asked.' });
    expect(service.keys().slice(before)).toEqual([TEAM, NEXT_TEAM]);
    // The process was started for the key that is gone.
    expect(await paid(owner, '[[text After.]]')).toMatchObject({
      how: ['completed', 'cold', 'team'],
      keys: [NEXT_TEAM],
    });
  });

  it('that are wrong fail at once, with whose they are and who changes them where', async () => {
    service.refused.add(WRONG);
    await setKey(ada, 'user', WRONG);
    const { turn, keys } = await paid(ada, '[[text Never.]]');
    expect(turn).toMatchObject({
      status: 'failed',
      error: {
        code: 'MODEL_AUTH_FAILED',
        detail:
          'The model’s service did not accept the key of Ada, who sent this. Ada changes it in Settings under Keys. The service said: invalid x-api-key «redacted:api-key»',
      },
    });
    expect(watched.payloads(turn, 'turn:retry')).toEqual([]);
    expect(keys).toEqual([WRONG]);
    const own = async () => (await keysOf(ada)).data.find(({ scope }) => scope === 'user');
    await waitFor(async () => (await own())?.lastError !== null, { what: 'the failure is noted with the key' });
    expect(await own()).toMatchObject({ lastError: { text: 'invalid x-api-key «redacted:api-key»' } });
    const booted = await ada.call<{ code: string; detail: string }>('POST', `/v1/sessions/${watched.id}/boot`, {});
    expect(JSON.stringify(booted.body)).toContain('the key of Ada');
    const removed = await ada.call('DELETE', `/v1/keys/${(await own())?.id}`);
    expect(removed.status).toBe(204);
    expect(await paid(ada, '[[text Back.]]')).toMatchObject({ how: ['completed', 'cold', 'team'], keys: [NEXT_TEAM] });
  });

  it('of a removed member pay for nothing more, not even for what runs', async () => {
    const bea = await addPerson(product.stack, 'Bea');
    await setKey(bea, 'user', BEA);
    const turn = await send(bea, ASK);
    const permissionId = await untilAsked(turn);
    const { data } = (await owner.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body;
    const me = (await bea.call<{ user: { id: string } }>('GET', '/v1/me')).body;
    expect((await owner.call('DELETE', `/v1/teams/${data[0]?.id}/members/${me.user.id}`)).status).toBe(204);
    const before = service.keys().length;
    expect(await watched.end(turn)).toMatchObject({ status: 'interrupted', error: RIGHTS_ENDED });
    expect(watched.payloads(turn, 'permission:resolve')).toMatchObject([{ permissionId, outcome: 'run_ended' }]);
    expect(service.keys().slice(before)).toEqual([]);
    await watched.expectLawful();
  });

  it('are nowhere: not with any process, in the database, Redis, blobs, logs, transcripts, events or what is exported', async () => {
    const turn = await send(
      owner,
      '[[tool Bash {"command":"env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline; grep -rs sk-ant- /config /workspace /run /tmp; touch looked.txt"}]] [[text Looked around.]]',
    );
    const permissionId = await untilAsked(turn);
    expect(turnProcesses(watched.id).length).toBeGreaterThan(0);
    const services = [product.stack.api.pid, ...product.stack.workers.map(({ pid }) => pid)];
    expect(processesThatShow(SERVICE, services)).toEqual([]);
    for (const key of [TEAM, NEXT_TEAM, ADA, WRONG, BEA]) expect(processesThatShow(key, [])).toEqual([]);
    await allow(permissionId);
    expect(await watched.end(turn)).toMatchObject({ status: 'completed', text: 'Looked around.' });

    const exported: string[] = [];
    for (const path of [
      '/v1/keys',
      '/v1/audit?limit=200',
      '/v1/usage?groupBy=turn',
      '/v1/usage?groupBy=user&format=csv',
      '/v1/openapi.json',
      '/health/ready',
      '/metrics',
      `/v1/sessions/${watched.id}/transcript`,
      `/v1/sessions/${watched.id}/turns/${turn.id}/raw`,
      `/v1/sessions/${watched.id}/turns/${turn.id}/prompt`,
    ]) {
      // The raw stream is stored behind the turn's back.
      let answer = await owner.call('GET', path);
      await waitFor(async () => (answer = await owner.call('GET', path)).status === 200, {
        what: `${path} can be read`,
      });
      exported.push(JSON.stringify(answer.body));
    }
    const logged = JSON.stringify(product.stack.workers.concat(product.stack.api).flatMap(({ lines }) => lines));
    const seen = JSON.stringify(watched.live);
    // What was said stands where it should: the search finds what is there.
    expect(await tablesThatHold('Looked around.', product.stack)).toEqual(expect.arrayContaining(['event', 'turn']));
    expect(filesThatHold('Looked around.', product.stack.directory).length).toBeGreaterThan(0);
    expect(exported.join()).toContain(NEXT_TEAM.slice(-4));
    for (const key of [SERVICE, TEAM, NEXT_TEAM, ADA, WRONG, BEA]) {
      expect(await tablesThatHold(key, product.stack)).toEqual([]);
      expect(await redisHolds(key, product.stack)).toBe(false);
      expect(filesThatHold(key, product.stack.directory)).toEqual([]);
      for (const text of [exported.join(), logged, seen, JSON.stringify(product.stack.model?.requests())])
        expect(text.includes(key)).toBe(false);
    }
  });
});
