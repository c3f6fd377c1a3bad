import {
  MAX_QUEUE_ITEMS,
  PROBLEM_STATUS,
  problemSchema,
  type CreatedToken,
  type Project,
  type ProblemCode,
  type Session,
} from '@chirality/contracts';
import { insertPermission } from '@chirality/database';
import { newId } from '@chirality/domain';
import { buildSession, waitFor } from '@chirality/testing';
import type { Response } from 'supertest';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(60_000);

/** How a client comes to see the code, or why none does. */
type Meeting = (() => Promise<Response>) | { met: never[]; because: string };

describe('every problem code', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let viewer: ApiClient;
  let project: Project;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
    viewer = await owner.invite((await owner.team()).id, 'viewer@example.org', 'viewer');
    project = await owner.createProject();
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    session = await owner.createSession(project.id, { visibility: 'project' });
  });

  const turns = () => `/v1/sessions/${session.id}/turns`;
  /** The session's turn; what earlier tests left in the queue is ended on the way. */
  const claimOwn = async () => {
    for (;;) {
      const turn = await api.worker.claim();
      if (turn.sessionId === session.id) return turn;
      await api.worker.settle(turn);
    }
  };
  const running = async () => {
    await owner.sendTurn(session.id);
    const turn = await claimOwn();
    await api.worker.become(turn, 'spawned');
    return turn;
  };
  const boot = () => owner.post(`/v1/sessions/${session.id}/boot`).then((response) => response);
  const booting = async () => {
    const answer = boot();
    await waitFor(async () => ((await owner.get(`/v1/sessions/${session.id}`)).body as Session).activeTurnId !== null, {
      what: 'the boot is accepted',
    });
    return { answer, settle: async () => api.worker.settle(await claimOwn(), 'fail') };
  };

  /** An agent with a token of the owner. */
  const programOf = async () => {
    const { body } = await owner
      .post('/v1/tokens', { name: 'CI', teamId: session.teamId, identityClass: 'agent' })
      .expect(201);
    const { token, secret } = body as CreatedToken;
    const program = api.client;
    program.token = secret;
    return { api: program, id: token.id };
  };
  const listBranches = async () => owner.post('/v1/git-branches', { url: 'https://git.example.org/team/repo.git' });
  const pullRequestOptions = async () => owner.get(`/v1/sessions/${session.id}/pull-request/options`);
  const putFile = async () => owner.send('put', `/v1/sessions/${session.id}/files/content?path=a`);
  const refusedByWorker = async (
    code:
      | 'WORKSPACE_NOT_STORED'
      | 'FILE_EXISTS'
      | 'FILE_CHANGED'
      | 'PULL_REQUEST_FAILED'
      | Extract<ProblemCode, `GIT_${string}`>,
    ask: () => PromiseLike<Response>,
  ) => {
    const detail = 'This cannot be done as it is. Look at it, then try again.';
    const serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, async () => ({
      act: 'refused',
      code,
      detail,
    }));
    const response = await ask();
    await serving.close();
    return response;
  };

  const MEETINGS: Record<ProblemCode, Meeting> = {
    UNAUTHENTICATED: async () => api.client.get('/v1/me'),
    FORBIDDEN: async () => viewer.post(turns(), { message: 'x' }),
    TOKEN_EXPIRED: async () => {
      const { api: program, id } = await programOf();
      await api.worker.database.pool.query("UPDATE api_token SET expires_at = now() - interval '1 s' WHERE id = $1", [
        id,
      ]);
      return program.get('/v1/me');
    },
    TOKEN_REVOKED: async () => {
      const { api: program, id } = await programOf();
      await owner.delete(`/v1/tokens/${id}`).expect(204);
      return program.get('/v1/me');
    },
    TOKEN_SCOPE: async () => (await programOf()).api.get('/v1/audit'),
    CRITICAL_CLAIM_UNKNOWN: async () =>
      owner.post('/v1/tokens', {
        name: 'CI',
        teamId: session.teamId,
        identityClass: 'agent',
        criticalClaims: ['networks'],
      }),
    DEVICE_CODE_PENDING: async () => {
      const { body } = await api.client.post('/v1/auth/device').expect(200);
      return api.client.post('/v1/auth/device/token', { deviceCode: (body as { deviceCode: string }).deviceCode });
    },
    DEVICE_CODE_EXPIRED: async () => owner.post('/v1/auth/device/request', { userCode: 'BBBB-BBBB' }),
    AGENT_MAY_NOT_APPROVE: async () =>
      (await programOf()).api.post(turns(), { message: 'x', options: { permissionMode: 'acceptEdits' } }),
    PASSWORD_CHANGE_REQUIRED: async () => {
      const { pool } = api.worker.database;
      await pool.query('UPDATE "user" SET must_change_password = true WHERE id = $1', [viewer.user.id]);
      const response = await viewer.get('/v1/teams');
      await pool.query('UPDATE "user" SET must_change_password = false WHERE id = $1', [viewer.user.id]);
      return response;
    },
    HANDSHAKE_REQUIRED: { met: [], because: 'it is about frames of a WebSocket (websocket.medium.spec.ts)' },
    HANDSHAKE_VERSION_MISMATCH: { met: [], because: 'it is about frames of a WebSocket (websocket.medium.spec.ts)' },
    NOT_FOUND: async () => owner.delete(`/v1/projects/${project.id}/rules/${newId('rule')}`),
    SESSION_NOT_FOUND: async () => owner.get(`/v1/sessions/${newId('session')}`),
    PROJECT_NOT_FOUND: async () => owner.get(`/v1/projects/${newId('project')}`),
    PERSONA_NOT_FOUND: async () => owner.post('/v1/sessions', { projectId: project.id, persona: 'nobody' }),
    WORKING_ROOT_INACCESSIBLE: async () =>
      owner.post('/v1/projects', { name: 'Elsewhere', source: { kind: 'directory', path: '/etc' } }),
    VALIDATION_FAILED: async () => owner.post('/v1/projects', { name: '' }),
    MESSAGE_EMPTY: async () => owner.post(turns(), { message: ' ' }),
    MESSAGE_TOO_LARGE: async () => owner.post(turns(), { message: 'x'.repeat(4 * 1024 * 1024 + 1) }),
    ATTACHMENT_TOO_LARGE: async () =>
      owner.post(turns(), { message: 'x', attachments: Array.from({ length: 21 }, () => newId('attachment')) }),
    ATTACHMENT_UNSUPPORTED: async () => owner.send('post', `/v1/sessions/${session.id}/attachments`),
    SCHEMA_INVALID: async () => owner.post(turns(), { message: 'x', outputSchema: { type: 'array' } }),
    IDEMPOTENCY_MISMATCH: async () => {
      await owner.sendTurn(session.id, 'one', { 'idempotency-key': 'same' });
      return owner.post(turns(), { message: 'other' }).set('idempotency-key', 'same');
    },
    TURN_IN_PROGRESS: async () => {
      await owner.sendTurn(session.id);
      return owner.post(turns(), { message: 'x' });
    },
    QUEUE_FULL: async () => {
      await owner.sendTurn(session.id);
      const queue = async () => owner.post(turns(), { message: 'x', whenBusy: 'queue' });
      for (let count = 0; count < MAX_QUEUE_ITEMS; count++) await queue();
      return queue();
    },
    WORKSPACE_IN_USE: async () => {
      const { pool } = api.worker.database;
      const sharing = () =>
        buildSession(pool, { teamId: session.teamId, projectId: project.id, ownerId: owner.user.id, isShared: true });
      const [one, two] = [await sharing(), await sharing()];
      await owner.sendTurn(one.id);
      return owner.post(`/v1/sessions/${two.id}/turns`, { message: 'x' });
    },
    BOOT_IN_PROGRESS: async () => {
      const first = await booting();
      const second = await boot();
      await first.settle();
      await first.answer;
      return second;
    },
    HARNESS_FAILURE: async () => {
      const { answer, settle } = await booting();
      await settle();
      return answer;
    },
    PERMISSION_RESOLVED: async () => {
      const turn = await running();
      const id = newId('permission');
      await insertPermission(api.worker.database.pool, {
        id,
        sessionId: session.id,
        turnId: turn.id,
        kind: 'tool',
        toolUseId: 'toolu_1',
        tool: 'Bash',
        input: {},
        reason: 'r',
        pattern: null,
      });
      const answer = () => owner.post(`/v1/sessions/${session.id}/permissions/${id}`, { decision: 'deny' });
      await answer();
      return answer();
    },
    PROJECT_NOT_READY: async () => {
      const fetched = (
        await owner
          .post('/v1/projects', {
            name: 'Fetched',
            source: { kind: 'git', url: 'https://git.example.org/team/repo.git' },
          })
          .expect(201)
      ).body as Project;
      return owner.post('/v1/sessions', { projectId: fetched.id });
    },
    CONFLICT: async () => owner.patch(`/v1/projects/${project.id}`, { strict: true, autoApprove: true }),
    BUDGET_EXCEEDED: async () => {
      await owner.post('/v1/keys', { scope: 'team', value: `sk-ant-api03-${'k'.repeat(60)}` }).expect(201);
      await owner
        .post('/v1/budgets', { scope: 'session', subjectId: session.id, period: 'total', limitUsd: '0' })
        .expect(201);
      return owner.post(turns(), { message: 'x' });
    },
    RATE_LIMITED: async () => {
      const attempts = await Promise.all(
        Array.from({ length: 30 }, () =>
          api.client.post('/v1/auth/login', { email: 'victim@example.org', password: 'wrong' }),
        ),
      );
      return attempts.find(({ status }) => status !== 401) as Response;
    },
    CURSOR_AHEAD: async () => owner.get(`/v1/sessions/${session.id}/events?after=99`),
    WORKSPACE_UNAVAILABLE: async () => owner.get(`/v1/sessions/${session.id}/files?path=`),
    WORKSPACE_NOT_STORED: async () =>
      refusedByWorker('WORKSPACE_NOT_STORED', () => owner.get(`/v1/sessions/${session.id}/files?path=`)),
    GIT_CONFLICT: async () =>
      refusedByWorker('GIT_CONFLICT', () => owner.post(`/v1/sessions/${session.id}/base`, { act: 'merge' })),
    FILE_EXISTS: async () => refusedByWorker('FILE_EXISTS', putFile),
    FILE_CHANGED: async () => refusedByWorker('FILE_CHANGED', putFile),
    GIT_REMOTE_GONE: async () => refusedByWorker('GIT_REMOTE_GONE', listBranches),
    GIT_FAILED: async () => refusedByWorker('GIT_FAILED', listBranches),
    GIT_PUSH_REJECTED: async () => refusedByWorker('GIT_PUSH_REJECTED', listBranches),
    GIT_PROTECTED_BRANCH: async () => refusedByWorker('GIT_PROTECTED_BRANCH', listBranches),
    GIT_AUTH_FAILED: async () => refusedByWorker('GIT_AUTH_FAILED', listBranches),
    GIT_HOST_UNREACHABLE: async () => refusedByWorker('GIT_HOST_UNREACHABLE', listBranches),
    GIT_HOST_FORBIDDEN: async () => refusedByWorker('GIT_HOST_FORBIDDEN', listBranches),
    GIT_HOST_KEY_CHANGED: async () => refusedByWorker('GIT_HOST_KEY_CHANGED', listBranches),
    GIT_NOT_FOUND: async () => refusedByWorker('GIT_NOT_FOUND', listBranches),
    GIT_TOO_LARGE: async () => refusedByWorker('GIT_TOO_LARGE', listBranches),
    GIT_NOTHING_TO_PUSH: async () => owner.post(`/v1/sessions/${session.id}/pull-request`, { title: 'T' }),
    PULL_REQUEST_FAILED: async () => refusedByWorker('PULL_REQUEST_FAILED', pullRequestOptions),
    SANDBOX_UNAVAILABLE: async () => {
      await api.worker.workers.markStopped(api.worker.id);
      const refused = async () => owner.post(turns(), { message: 'x' });
      await waitFor(async () => (await refused()).status === 503, { what: 'no worker is known now' });
      const response = await refused();
      await api.worker.register();
      return response;
    },
    QUEUE_UNAVAILABLE: {
      met: [],
      because: 'a turn is a row: it is accepted without Redis and found by workers that look (redis-away.e2e-spec.ts)',
    },
    INTERNAL: async () => {
      await api.worker.database.pool.query('ALTER TABLE project_rule RENAME TO project_rule_aside');
      const response = await owner.get(`/v1/projects/${project.id}/rules`);
      await api.worker.database.pool.query('ALTER TABLE project_rule_aside RENAME TO project_rule');
      return response;
    },
    DATABASE_UNAVAILABLE: async () => {
      await api.postgres.goDown();
      const response = await owner.get('/v1/me');
      await api.postgres.comeUp();
      return response;
    },
  };

  it.each(
    Object.entries(MEETINGS).filter(
      (entry): entry is [ProblemCode, () => Promise<Response>] => typeof entry[1] === 'function',
    ),
  )('%s is met, with its status and a sentence that says what to do', async (code, meet) => {
    const { status, body, headers } = await meet();
    expect([status, (body as { code: string }).code]).toEqual([PROBLEM_STATUS[code], code]);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    const problem = problemSchema.parse(body);
    expect(problem.detail).toMatch(/^[A-Z].{15,}\.$/s);
    expect(problem.requestId).toBe(headers['x-request-id'] ?? problem.requestId);
  });

  it('that no request meets has a reason', () => {
    const unmet = Object.entries(MEETINGS).flatMap(([code, meeting]) => (typeof meeting === 'function' ? [] : [code]));
    expect(unmet).toEqual(['HANDSHAKE_REQUIRED', 'HANDSHAKE_VERSION_MISMATCH', 'QUEUE_UNAVAILABLE']);
  });
});
