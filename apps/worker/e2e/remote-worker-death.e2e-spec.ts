import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  Page,
  Permission,
  Problem,
  Project,
  PushAnswer,
  PushState,
  SessionBase,
  SessionCommit,
} from '@chirality/contracts';
import {
  GIT_HOST,
  makeGitRepository,
  OWNER,
  pushCommit,
  runGit,
  startGitHost,
  startStack,
  TestClient,
  waitFor,
  type GitHost,
  type ManagedProcess,
  type Stack,
} from '@chirality/testing';
import { BubblewrapSteps, type StopAt } from './support/bubblewrap-steps';

jest.setTimeout(600_000);

/** More than any of these takes: an act without an end is a fault. */
const MAX_STEPS = 25;
/** For what is built aside, where it makes no difference how far a script came. */
const BEGINNINGS: readonly StopAt[] = ['before'];
/** For what changes things in place. The end of each is also the moment before the next. */
const ENDS: readonly StopAt[] = ['after'];

describe('a worker that is killed at each step of what brings code in and out', () => {
  const steps = new BubblewrapSteps();
  let host: GitHost;
  let stack: Stack;
  let worker: ManagedProcess;
  let person: TestClient;
  let token: string;
  const kills: string[] = [];

  beforeAll(async () => {
    host = await startGitHost();
    stack = await startStack({
      workers: 0,
      env: {
        NODE_ENV: 'test',
        CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
        CHIRALITY_TEST_AUTHORITIES: host.authorities,
        // No process is started ahead of a turn: each sandbox belongs to what is asked for.
        CHIRALITY_PARKED_MS: '0',
      },
    });
    worker = await startWorker();
    person = await TestClient.login(stack.url, OWNER.email, OWNER.password);
  });
  afterAll(async () => {
    await stack?.stop();
    await host?.close();
    steps.close();
    process.stderr.write(`killed ${kills.length} times: ${kills.join(', ')}\n`);
  });

  /** The same worker each time: it finds its disk again. */
  const startWorker = () =>
    stack.startWorker({
      CHIRALITY_DATA_DIR: stack.diskOf('w0'),
      PATH: `${steps.directory}:${process.env['PATH'] ?? ''}`,
    });
  const killWorker = async () => {
    worker.kill('SIGKILL');
    await worker.exited;
    steps.disarm();
    worker = await startWorker();
  };

  /**
   * Does the act again and again, and kills the worker at its first sandbox, then at its second, until it has no
   * more.
   */
  async function atEachStep<T>(
    name: string,
    act: (round: number) => { done: Promise<T> },
    afterwards: (round: number, outcome: T) => Promise<void>,
    moments = ENDS,
  ): Promise<void> {
    let round = 0;
    for (const when of moments)
      for (let step = 1; ; step += 1) {
        expect(step).toBeLessThan(MAX_STEPS);
        round += 1;
        steps.arm(step, when);
        let isOver = false;
        const done = act(round).done.finally(() => (isOver = true));
        const isHeld = await steps.held(() => isOver);
        const wasLast = !isHeld && steps.began < step;
        if (isHeld) {
          kills.push(`${name} ${when} ${step}`);
          await killWorker();
        } else steps.disarm();
        await afterwards(round, await done);
        if (wasLast) break;
      }
  }

  const read = async (id: string) => (await person.call<Project>('GET', `/v1/projects/${id}`)).body;
  const until = (id: string, what: string, is: (project: Project) => boolean) =>
    waitFor(async () => is(await read(id)), { what, timeoutMs: 60_000, everyMs: 50 });
  const bare = (name: string) => join(host.directory, `${name}.git`);
  const create = async (name: string): Promise<Project> =>
    (
      await person.call<Project>('POST', '/v1/projects', {
        name,
        source: { kind: 'git', url: host.url(`${name}.git`) },
      })
    ).body;
  const ready = (id: string) => until(id, 'the files are here', ({ sourceState }) => sourceState.status === 'ready');
  const projectFile = (id: string, path: string) =>
    person.call<{ content: string }>('GET', `/v1/projects/${id}/files/content?path=${path}`);
  const sessionFile = (id: string, path: string) =>
    person.call<{ content: string }>('GET', `/v1/sessions/${id}/files/content?path=${encodeURIComponent(path)}`);
  const commitsOf = async (id: string) =>
    (await person.call<{ data: SessionCommit[] }>('GET', `/v1/sessions/${id}/commits`)).body.data;
  const upload = (id: string, path: string, bytes: Buffer) =>
    fetch(`${stack.url}/v1/sessions/${id}/files/content?path=${path}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', 'if-match': '*' },
      body: new Uint8Array(bytes),
    }).then(async (response) => ({ status: response.status, body: (await response.json()) as Problem }));
  /** What was asked for is refused with a sentence, or done. */
  const isSaid = ({ status, body }: { status: number; body: unknown }) =>
    status < 300 ||
    ((body as Problem).code === 'WORKSPACE_UNAVAILABLE' && /again/i.test((body as Problem).detail ?? ''));

  it('clones a project once, whole', async () => {
    const made: Project[] = [];
    await atEachStep(
      'clone',
      (round) => {
        makeGitRepository(bare(`clone${round}`), [{ 'lamp.txt': `lamp ${round}\n`, 'large.bin': 'x'.repeat(300_000) }]);
        return {
          done: create(`clone${round}`).then(async (project) => {
            made[round] = project;
            await ready(project.id);
            return projectFile(project.id, 'lamp.txt');
          }),
        };
      },
      async (round, outcome) => {
        const { id } = made[round]!;
        expect(isSaid(outcome)).toBe(true);
        expect((await read(id)).sourceState).toMatchObject({ status: 'ready', error: null, progress: null });
        expect((await projectFile(id, 'lamp.txt')).body.content).toBe(`lamp ${round}\n`);
        expect(readdirSync(join(stack.directory, 'blobs', 'projects', id))).toHaveLength(1);
      },
      BEGINNINGS,
    );
  });

  it('refreshes a project once, whole, while its old files can be read', async () => {
    makeGitRepository(bare('refresh'), [{ 'lamp.txt': 'lamp 0\n' }]);
    const { id } = await create('refresh');
    await ready(id);
    await projectFile(id, 'lamp.txt');
    let commit = '';
    await atEachStep(
      'refresh',
      (round) => {
        commit = pushCommit(bare('refresh'), { 'lamp.txt': `lamp ${round}\n` });
        return {
          done: (async () => {
            const asked = await person.call('POST', `/v1/projects/${id}/refresh`);
            expect(asked.status).toBe(202);
            await until(id, 'the refresh is over', ({ refresh }) => refresh?.status === 'idle');
            return projectFile(id, 'lamp.txt');
          })(),
        };
      },
      async (round, outcome) => {
        expect(isSaid(outcome)).toBe(true);
        expect(await read(id)).toMatchObject({ baseCommit: commit, refresh: { error: null } });
        expect((await projectFile(id, 'lamp.txt')).body.content).toBe(`lamp ${round}\n`);
      },
      BEGINNINGS,
    );
    const session = await person.createSession(id);
    expect((await sessionFile(session.id, 'lamp.txt')).status).toBe(200);
  });

  describe('in a session', () => {
    let project: Project;
    let sessionId: string;

    beforeAll(async () => {
      makeGitRepository(bare('work'), [{ 'lamp.txt': 'lamp\n', 'base.txt': 'base 0\n' }]);
      runGit(bare('work'), ['config', 'http.receivepack', 'true']);
      project = await create('work');
      await ready(project.id);
      sessionId = (await person.createSession(project.id, { title: 'Work' })).id;
      token = await person.renewedToken();
    });

    it('merges the base once or not at all, and keeps what was there', async () => {
      await upload(sessionId, 'mine.txt', Buffer.from('mine\n'));
      await person.call('POST', `/v1/sessions/${sessionId}/commit`, { message: 'Mine' });
      const merge = () => person.call<Problem>('POST', `/v1/sessions/${sessionId}/base`, { act: 'merge' });
      let commit = '';
      const base = async () => (await person.call<SessionBase>('GET', `/v1/sessions/${sessionId}/base`)).body;
      await atEachStep(
        'merge',
        (round) => ({
          done: (async () => {
            commit = pushCommit(bare('work'), { 'base.txt': `base ${round}\n` });
            steps.pause();
            await person.call('POST', `/v1/projects/${project.id}/refresh`);
            await until(project.id, 'the refresh is over', ({ refresh }) => refresh?.status === 'idle');
            steps.resume();
            return merge();
          })(),
        }),
        async (round, outcome) => {
          expect(isSaid(outcome)).toBe(true);
          const after = await base();
          expect([after.behind, after.isMerging, after.conflicts]).toEqual([
            outcome.status < 300 ? 0 : expect.any(Number),
            false,
            [],
          ]);
          expect(await merge()).toMatchObject({ body: { base: { behind: 0, isMerging: false } } });
          expect(await base()).toMatchObject({ behind: 0, isMerging: false });
          expect((await sessionFile(sessionId, 'base.txt')).body.content).toBe(`base ${round}\n`);
          expect((await sessionFile(sessionId, 'mine.txt')).body.content).toBe('mine\n');
          const subjects = (await commitsOf(sessionId)).map(({ subject }) => subject);
          expect(subjects.filter((subject) => subject.includes(commit.slice(0, 10)))).toHaveLength(1);
        },
      );
    });

    it('writes an uploaded file whole or not at all', async () => {
      const content = (round: number) => Buffer.alloc(200_000, String(round % 10));
      await atEachStep(
        'upload',
        (round) => ({ done: upload(sessionId, 'up.bin', content(round)) }),
        async (round, outcome) => {
          expect(isSaid(outcome)).toBe(true);
          const there = await sessionFile(sessionId, 'up.bin');
          if (there.status === 200)
            expect([content(round).toString(), content(round - 1).toString()]).toContain(there.body.content);
          expect((await upload(sessionId, 'up.bin', content(round))).status).toBeLessThan(300);
          expect((await sessionFile(sessionId, 'up.bin')).body.content).toBe(content(round).toString());
        },
      );
    });

    it('pushes once or not at all, and the answer is what the remote has', async () => {
      const branches = () =>
        runGit(bare('work'), ['for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/chirality']);
      const push = () => person.call<PushAnswer>('POST', `/v1/sessions/${sessionId}/push`);
      let head = '';
      let before = '';
      await atEachStep(
        'push',
        (round) => ({
          done: (async () => {
            steps.pause();
            await upload(sessionId, 'pushed.txt', Buffer.from(`pushed ${round}\n`));
            await person.call('POST', `/v1/sessions/${sessionId}/commit`, { message: `Push ${round}` });
            head = (await commitsOf(sessionId))[0]?.commit ?? '';
            before = branches();
            steps.resume();
            return push();
          })(),
        }),
        async (_round, outcome) => {
          expect(isSaid(outcome)).toBe(true);
          expect([before, expect.stringContaining(head)]).toContainEqual(branches());
          if (outcome.status < 300) expect(branches()).toContain(head);
          const again = await push();
          expect(again).toMatchObject({ status: 200, body: { commit: head } });
          expect(branches().split('\n')).toEqual([`${again.body.branch} ${head}`]);
          const { last } = (await person.call<PushState>('GET', `/v1/sessions/${sessionId}/push`)).body;
          expect(last).toMatchObject({ commit: head });
        },
      );
    });

    it('makes a push that Claude proposed and a person allowed once or not at all', async () => {
      const branches = () => runGit(bare('work'), ['for-each-ref', '--format=%(objectname)', 'refs/heads/chirality']);
      const pending = async () =>
        (await person.call<Page<Permission>>('GET', `/v1/sessions/${sessionId}/permissions?status=pending`)).body.data;
      /** Answers how many sandboxes it took from the answer to the end. */
      const propose = async (number: number, step: number, when: StopAt) => {
        const command = `echo proposed ${number} > proposed.txt && git add -A && git commit -qm 'Propose ${number}'`;
        const tool = (text: string) => `[[tool Bash ${JSON.stringify({ command: text })}]]`;
        const turn = await person.send(sessionId, `${tool(command)} ${tool('git push')} [[text Proposed.]]`, {
          autoApproveTools: ['Bash'],
        });
        await waitFor(async () => (await pending()).length === 1, { what: 'it is proposed', timeoutMs: 60_000 });
        const [request] = await pending();
        const head = request?.proposal?.commit ?? '';
        const before = branches();
        steps.arm(step, when);
        const path = `/v1/sessions/${sessionId}/permissions/${request?.id ?? ''}`;
        await person.call('POST', path, { decision: 'allow_tool' });
        let isOver = false;
        const ended = person.waitForEnd(sessionId, turn.id, 120_000).finally(() => (isOver = true));
        const isHeld = await steps.held(() => isOver);
        const { began } = steps;
        if (isHeld) {
          kills.push(`proposed push ${when} ${step}`);
          await killWorker();
        } else steps.disarm();
        expect((await ended).status).toBe(isHeld ? 'lost' : 'completed');
        expect([before, head]).toContain(branches());
        expect(await pending()).toEqual([]);
        return { began, pushed: branches() === head };
      };
      const whole = await propose(0, MAX_STEPS, 'before');
      expect(whole.pushed).toBe(true);
      const outcomes = [(await propose(1, 1, 'before')).pushed];
      for (const step of [whole.began - 2, whole.began - 1, whole.began])
        outcomes.push((await propose(outcomes.length + 1, step, 'after')).pushed);
      // Before anything went out, and with everything out that no one knows of.
      expect([outcomes[0], outcomes.at(-1)]).toEqual([false, true]);
      // What a person then presses is not in the way of what was lost, and sends nothing twice.
      await person.call('POST', `/v1/sessions/${sessionId}/push`);
      expect(branches()).toBe((await commitsOf(sessionId))[0]?.commit);
    });

    it('leaves a repository that git finds whole', async () => {
      const turn = await person.send(
        sessionId,
        '[[tool Bash {"command":"git fsck --full --strict && git status --porcelain && find .git -name \'*.lock\'"}]] [[text Looked.]]',
        { autoApproveTools: ['Bash'] },
      );
      expect(await person.waitForEnd(sessionId, turn.id, 60_000)).toMatchObject({ status: 'completed' });
      const results = (await person.events(sessionId)).filter(({ kind }) => kind === 'tool:result');
      expect(JSON.stringify(results)).not.toMatch(/error|corrupt|missing|\.lock|"isError":true/);
    });
  });
});
