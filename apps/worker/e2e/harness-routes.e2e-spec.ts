import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreatedToken, HarnessEvent } from '@chirality/contracts';
import { OWNER, startStack, TestClient, waitFor, type Stack } from '@chirality/testing';
import { addPerson } from './support/people';

jest.setTimeout(120_000);

type Sent = { status: number; events: HarnessEvent[]; ended: Promise<void>; leave: () => void; problem: object };

describe('the routes of the earlier harness', () => {
  let stack: Stack;
  let person: TestClient;
  let root: string;
  let sessionId: string;

  beforeAll(async () => {
    root = mkdtempSync('/tmp/chirality-root-');
    chmodSync(root, 0o755);
    writeFileSync(join(root, 'README.md'), '# Here before\n');
    stack = await startStack({ env: { CHIRALITY_ALLOWED_ROOTS: root } });
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    await person.call('POST', '/v1/projects', { name: 'Here', source: { kind: 'directory', path: root } });
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const at = <T>(method: string, path: string, body?: object) => person.call<T>(method, `/api/harness/${path}`, body);

  /** A turn whose stream is read in the background. */
  async function turn(token: string, body: object): Promise<Sent> {
    const leaving = new AbortController();
    const response = await fetch(`${stack.url}/api/harness/turn`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const events: HarnessEvent[] = [];
    const leave = () => leaving.abort();
    if (response.status !== 200)
      return {
        status: response.status,
        events,
        ended: Promise.resolve(),
        leave,
        problem: (await response.json()) as object,
      };
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const read = async () => {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks)
          if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as HarnessEvent);
      }
    };
    return { status: 200, events, ended: read().catch(() => undefined), leave, problem: {} };
  }

  it('create a session of a directory, list it, and give it a conversation by a boot', async () => {
    const created = await at<{ session: { id: string; projectRoot: string } }>('POST', 'session/create', {
      projectRoot: `${root}/`,
      persona: 'reviewer',
      mode: 'workbench',
    });
    expect([created.status, created.body.session.projectRoot]).toEqual([201, root]);
    sessionId = created.body.session.id;
    expect((await at<object[]>('GET', 'session/list')).body).toEqual([
      {
        id: sessionId,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        persona: 'reviewer',
        mode: 'workbench',
        projectRoot: root,
      },
    ]);
    const booted = await at<{ boot: { claudeSessionId: string } }>('POST', 'session/boot', { sessionId });
    expect([booted.status, booted.body.boot]).toEqual([
      200,
      {
        claudeSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bootFingerprint: expect.any(String),
        bootedAt: expect.any(String),
      },
    ]);
    const again = await at<{ boot: { claudeSessionId: string } }>('POST', 'session/boot', { sessionId });
    expect(again.body.boot.claudeSessionId).toBe(booted.body.boot.claudeSessionId);
    expect((await at('POST', 'session/create', { projectRoot: '/srv/other', persona: null })).body).toMatchObject({
      code: 'WORKING_ROOT_INACCESSIBLE',
    });
  });

  it('stream a turn in eight kinds of events, process:exit last, also of a process that stays', async () => {
    for (let times = 0; times < 2; times += 1) {
      const sent = await turn(person.token, {
        sessionId,
        message: '[[tool Read {"file_path":"README.md"}]] [[text It is there.]]',
        opts: { maxTurns: 5, systemPromptAppend: 'Be brief.', unknown: true },
      });
      await sent.ended;
      const kinds = sent.events.map(({ type }) => type);
      expect([...new Set(kinds)].sort()).toEqual([
        'chat:complete',
        'chat:delta',
        'process:exit',
        'session:complete',
        'session:init',
        'tool:result',
        'tool:start',
      ]);
      expect(kinds.indexOf('process:exit')).toBe(kinds.length - 1);
      expect(sent.events.every((event) => event.sessionId === sessionId)).toBe(true);
      expect(sent.events.at(-1)).toMatchObject({ code: 0, signal: null });
      expect(sent.events.find(({ type }) => type === 'session:complete')).toMatchObject({
        costUsd: expect.any(Number),
        usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      });
    }
  });

  it('refuse a second turn with 409, interrupt the first, and let a client leave without stopping anything', async () => {
    const first = await turn(person.token, { sessionId, message: '[[slow words=2000 delay=20]]' });
    await waitFor(() => first.events.some(({ type }) => type === 'chat:delta'), { what: 'it streams' });
    const second = await turn(person.token, { sessionId, message: 'hello' });
    expect([second.status, second.problem]).toEqual([409, expect.objectContaining({ code: 'TURN_IN_PROGRESS' })]);
    first.leave();
    await first.ended;
    expect((await person.session(sessionId)).status).toBe('running');
    expect((await at('POST', 'interrupt', { sessionId })).body).toEqual({ interrupted: true });
    await waitFor(async () => (await person.session(sessionId)).status === 'idle', { what: 'the turn has ended' });

    const third = await turn(person.token, { sessionId, message: '[[slow words=2000 delay=20]]' });
    await waitFor(() => third.events.some(({ type }) => type === 'chat:delta'), { what: 'it streams' });
    await at('POST', 'interrupt', { sessionId });
    await third.ended;
    expect(third.events.slice(-2).map(({ type }) => type)).toEqual(['session:error', 'process:exit']);
    expect((await at('POST', 'interrupt', { sessionId })).body).toEqual({ interrupted: false });
  });

  it('are a token’s by its commands, and nothing of another team’s', async () => {
    const teamId = (await person.call<{ data: { id: string }[] }>('GET', '/v1/teams')).body.data[0]?.id;
    const { secret } = (
      await person.call<CreatedToken>('POST', '/v1/tokens', {
        name: 'Old client',
        teamId,
        identityClass: 'agent',
        commands: ['turn:send', 'events:read'],
      })
    ).body;
    const sent = await turn(secret, { sessionId, message: '[[text Done.]]' });
    await sent.ended;
    expect(sent.events.at(-1)).toMatchObject({ type: 'process:exit', code: 0 });
    const refused = await fetch(`${stack.url}/api/harness/interrupt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId }),
    });
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'TOKEN_SCOPE' })]);

    const stranger = await addPerson(stack, 'Stranger', { team: 'own' });
    for (const [method, path, body] of [
      ['POST', 'turn', { sessionId, message: 'hello' }],
      ['POST', 'interrupt', { sessionId }],
      ['POST', 'session/boot', { sessionId }],
      ['GET', `session/${sessionId}`, undefined],
      ['DELETE', `session/${sessionId}`, undefined],
      ['POST', 'session/create', { projectRoot: root }],
    ] as const) {
      const answer = await stranger.call<{ code: string }>(method, `/api/harness/${path}`, body);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await stranger.call<object[]>('GET', '/api/harness/session/list')).body).toEqual([]);
  });

  it('archive a session, and are not there where they are off', async () => {
    expect((await at('DELETE', `session/${sessionId}`)).status).toBe(204);
    expect((await at<object[]>('GET', 'session/list')).body).toEqual([]);
    await stack.restartApi({ CHIRALITY_HARNESS_ROUTES: 'off' });
    const off = await at<{ code: string }>('GET', 'session/list');
    expect([off.status, off.body.code]).toEqual([404, 'NOT_FOUND']);
    expect((await at<{ features: string[] }>('GET', '../../v1/handshake')).body.features).not.toContain(
      'harness-routes',
    );
  });
});
