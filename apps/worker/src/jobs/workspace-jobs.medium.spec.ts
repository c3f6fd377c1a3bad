import { describeAsOrdinaryUser } from '../../test/sandbox-host';
import { WorkspaceJobs } from './workspace-jobs';
import { createLogger } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import { StateFixture, type FixtureSession, type FixtureWorker } from '../../test/state-fixture';

jest.setTimeout(120_000);

let fixture: StateFixture;
let worker: FixtureWorker;
beforeAll(async () => {
  fixture = await StateFixture.start();
  worker = await fixture.worker('jobs');
});
afterAll(() => fixture.close());

const author = { name: 'Ada', email: 'ada@example.com' };
const list = (sessionId: string, path = '') => ({ act: 'list-files' as const, sessionId, path });
const read = (sessionId: string, path: string) => ({ act: 'read-file' as const, sessionId, path });
const commit = (sessionId: string) => ({ act: 'commit' as const, sessionId, message: 'Mine', author });

/** A turn of the session that is in the middle of its work. */
async function runningTurn(session: FixtureSession, agent: string) {
  const { turnId, fence } = await fixture.claim(worker, session);
  const prepared = await worker.disk.prepare({ session: session.record, project: session.project, fence });
  await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
  await fixture.launched(turnId);
  const { workspace, objects, lockFile } = prepared;
  const process = fixture.files.sandbox.spawn({
    profile: 'workspace',
    paths: { workspace, objects, lockFile },
    command: ['/bin/sh', '-c', `${agent}; echo up; exec sleep 60`],
  });
  await new Promise((resolve) => process.stdout.once('data', resolve));
  return {
    async end() {
      process.killTree();
      await process.exited;
      await fixture.settle(turnId);
      await worker.disk.store({ sessionId: session.record.id, fence, mutated: true, claudeSessionId: null });
    },
  };
}

describeAsOrdinaryUser('what the api asks of a workspace', () => {
  it('is answered before the session’s first turn', async () => {
    const session = await fixture.session({ 'a.txt': 'one\n', 'dir/b.txt': 'b\n' });
    expect(await worker.jobs.handle(list(session.record.id))).toMatchObject({
      act: 'list-files',
      list: { data: [{ path: 'dir' }, { path: 'a.txt' }] },
    });
    expect(await worker.jobs.handle(read(session.record.id, 'a.txt'))).toMatchObject({
      act: 'read-file',
      file: { content: 'one\n' },
    });
    expect(
      await worker.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'session' } }),
    ).toMatchObject({ act: 'diff', diff: { files: [], patch: '' } });
  });

  it('is answered by any worker once the holder is gone', async () => {
    const session = await fixture.session();
    const holder = await fixture.worker('jobs-holder');
    await fixture.turn(holder, session, 'echo 1 > one');
    expect(await worker.jobs.handle(read(session.record.id, 'one'))).toMatchObject({ file: { content: '1\n' } });
    await fixture.turn(holder, session, 'echo 2 > two');
    expect(await worker.jobs.handle(list(session.record.id))).toMatchObject({
      list: { data: [{ path: 'a.txt' }, { path: 'one' }, { path: 'two' }] },
    });
  });

  it('shows what a turn is doing while it does it', async () => {
    const session = await fixture.session();
    const turn = await runningTurn(session, 'echo now > now');
    expect(await worker.jobs.handle(read(session.record.id, 'now'))).toMatchObject({ file: { content: 'now\n' } });
    expect(
      await worker.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'session' } }),
    ).toMatchObject({ diff: { files: [{ path: 'now', status: 'added' }] } });
    await turn.end();
  });

  it('is refused with a code and a sentence', async () => {
    const session = await fixture.session();
    const { id } = session.record;
    const jobs = [
      list('sess_01JZZZZZZZZZZZZZZZZZZZZZZZ'),
      list(id, 'none'),
      list(id, '../x'),
      read(id, '/etc/passwd'),
      read(id, 'a\0'),
      read(id, '.git/HEAD'),
      { act: 'diff' as const, sessionId: id, query: { scope: 'session' as const, base: '--output=/x' } },
      commit(id),
    ];
    const replies = await Promise.all(jobs.map((job) => worker.jobs.handle(job)));
    expect(replies.map((reply) => reply.act === 'refused' && reply.code)).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
    ]);
    for (const reply of replies) expect(reply).toMatchObject({ detail: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('is refused when it takes too long, and not done four times at once too often', async () => {
    const session = await fixture.session();
    const jobs = new WorkspaceJobs(
      {
        acts: { forReading: () => new Promise(() => undefined) } as never,
        openProject: {} as never,
        scripts: fixture.files.scripts,
        personas: {} as never,
        prompts: {} as never,
        downloads: {} as never,
        blobs: {} as never,
        listBranches: {} as never,
        pushes: {} as never,
        log: createLogger({ name: 'test', level: 'silent', dataDir: fixture.files.path('data') }),
      },
      50,
    );
    const replies = await Promise.all(Array.from({ length: 6 }, () => jobs.handle(list(session.record.id))));
    expect(replies).toEqual(
      Array(6).fill({ act: 'refused', code: 'WORKSPACE_UNAVAILABLE', detail: expect.any(String) }),
    );
  });

  it('is refused, not failed, when no sandbox can be started', async () => {
    const session = await fixture.session();
    await worker.jobs.handle(list(session.record.id));
    const broken = await fixture.worker('jobs', {
      sandbox: {
        spawn: () => {
          throw new Error('no processes left');
        },
        run: () => Promise.reject(new Error('no processes left')),
      },
    });
    expect(await broken.jobs.handle(list(session.record.id))).toMatchObject({
      act: 'refused',
      code: 'WORKSPACE_UNAVAILABLE',
    });
  });
});

describeAsOrdinaryUser('a commit', () => {
  it('is stored as a separate state, so that every worker has it', async () => {
    const session = await fixture.session();
    await fixture.turn(worker, session, 'echo 1 > one');
    const reply = await worker.jobs.handle(commit(session.record.id));
    expect(reply).toEqual({ act: 'commit', commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(await worker.pointers.read(session.record.id)).toMatchObject({ version: 2, lastRunFence: 1n });
    const { prepared } = await fixture.turn(await fixture.worker('jobs-b'), session, null);
    expect(prepared).toMatchObject({ stateVersion: 2, notice: null });
    expect(await fixture.act(prepared, 'git log -1 --format="%an %s"; git status --porcelain')).toBe('Ada Mine\n');
    expect(await fixture.act(prepared, fixture.conversation(session))).toContain('turn at fence 1\n');
  });

  it('can be the first thing that happens in a session', async () => {
    const session = await fixture.session();
    const { id } = session.record;
    expect(await worker.jobs.handle(commit(id))).toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: 'This cannot be done: there is nothing to commit.',
    });
    expect(await worker.pointers.read(id)).toMatchObject({ version: 0, key: null });
    expect((await fixture.turn(worker, session, null)).prepared.notice).toBeNull();
  });

  it('waits for no turn: one that is live or queued comes first', async () => {
    const session = await fixture.session();
    const turn = await runningTurn(session, 'echo 1 > one');
    expect(await worker.jobs.handle(commit(session.record.id))).toMatchObject({
      act: 'refused',
      code: 'TURN_IN_PROGRESS',
    });
    await turn.end();
    expect(await worker.jobs.handle(commit(session.record.id))).toMatchObject({ act: 'commit' });
  });

  it('is undone when another worker takes the session meanwhile', async () => {
    const session = await fixture.session();
    await fixture.turn(worker, session, 'echo 1 > one');
    const other = await fixture.worker('jobs-c');
    const endParked = () => fixture.claim(other, session).then(() => undefined);
    const slow = await fixture.worker('jobs', { workerId: worker.id, endParked });
    expect(await slow.jobs.handle(commit(session.record.id))).toMatchObject({
      act: 'refused',
      code: 'TURN_IN_PROGRESS',
    });
    expect(
      await worker.jobs.handle({ act: 'diff', sessionId: session.record.id, query: { scope: 'uncommitted' } }),
    ).toMatchObject({ diff: { files: [{ path: 'one', status: 'added' }] } });
  });

  it.each([
    [
      'its time is up',
      'git config filter.slow.clean "sleep 600"; echo "slow filter=slow" > .gitattributes; echo s > slow',
      { message: 'Mine', limitMs: 4_000 },
      { code: 'WORKSPACE_UNAVAILABLE', detail: expect.stringMatching(/^The commit was not finished in time/) },
    ],
    [
      'git refuses it after it took the files',
      'echo x > x',
      { message: ' ', limitMs: 60_000 },
      { code: 'VALIDATION_FAILED', detail: expect.stringMatching(/git refused the commit/) },
    ],
  ])('is stored as far as it came when %s', async (_when, agent, { message, limitMs }, refusal) => {
    const session = await fixture.session();
    await fixture.turn(worker, session, agent);
    const short = await fixture.worker('jobs', { workerId: worker.id, actLimitMs: limitMs });
    expect(await short.jobs.handle({ ...commit(session.record.id), message })).toMatchObject(refusal);
    const version = async () => (await worker.pointers.read(session.record.id))?.version;
    await waitFor(async () => (await version()) === 2, { what: 'what was written is stored', timeoutMs: 60_000 });
    const { prepared } = await fixture.turn(await fixture.worker('jobs-e'), session, 'rm -f .gitattributes');
    expect(prepared).toMatchObject({ stateVersion: 2, notice: null });
    expect(await fixture.act(prepared, 'find .git -name "*.lock"; git log --format=%s | grep -c Mine || true')).toBe(
      '0\n',
    );
  });

  it('is refused by a worker that does not hold the session while the holder lives', async () => {
    const session = await fixture.session();
    await fixture.turn(worker, session, 'echo 1 > one');
    const other = await fixture.worker('jobs-d');
    expect(await other.jobs.handle(commit(session.record.id))).toMatchObject({
      act: 'refused',
      code: 'TURN_IN_PROGRESS',
    });
    await fixture.lose(worker);
    expect(await other.jobs.handle(commit(session.record.id))).toMatchObject({ act: 'commit' });
    worker = await fixture.worker('jobs');
  });
});

describeAsOrdinaryUser('what the api asks of a project', () => {
  const listProject = (projectId: string, path = '') => ({ act: 'list-project-files' as const, projectId, path });
  const readProject = (projectId: string, path: string) => ({ act: 'read-project-file' as const, projectId, path });

  it('is answered without a session’s changes', async () => {
    const session = await fixture.session({ 'a.txt': 'one\n' });
    await fixture.turn(worker, session, 'echo mine > mine; echo two > a.txt');
    const { id } = session.project;
    expect(await worker.jobs.handle(listProject(id))).toMatchObject({
      act: 'list-project-files',
      list: { data: [{ path: 'a.txt' }], commit: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) } },
    });
    expect(await worker.jobs.handle(readProject(id, 'a.txt'))).toMatchObject({
      act: 'read-project-file',
      file: { content: 'one\n' },
    });
  });

  it('is refused with a code and a sentence', async () => {
    const { project } = await fixture.session();
    const waiting = await fixture.session();
    waiting.project.source = { kind: 'git', url: 'https://git.example/x.git' };
    const jobs = [
      listProject('proj_01JZZZZZZZZZZZZZZZZZZZZZZZ'),
      listProject(waiting.project.id),
      listProject(project.id, 'none'),
      listProject(project.id, '../x'),
      readProject(project.id, '.git/HEAD'),
      readProject(project.id, 'b\ufffdFFd'),
    ];
    const replies = await Promise.all(jobs.map((job) => worker.jobs.handle(job)));
    expect(replies.map((reply) => reply.act === 'refused' && reply.code)).toEqual([
      'NOT_FOUND',
      'PROJECT_NOT_READY',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    for (const reply of replies) expect(reply).toMatchObject({ detail: expect.stringMatching(/^[A-Z].*\.$/) });
  });

  it('keeps no session waiting while a project’s repository is built', async () => {
    const session = await fixture.session();
    const building = () => new Promise<never>(() => undefined);
    const parts = {
      acts: { forReading: () => Promise.reject(new Error('asked')) } as never,
      openProject: building,
      scripts: fixture.files.scripts,
      personas: {} as never,
      prompts: {} as never,
      downloads: {} as never,
      blobs: {} as never,
      listBranches: {} as never,
      pushes: {} as never,
      log: createLogger({ name: 'test', level: 'silent', dataDir: fixture.files.path('data') }),
    };
    const jobs = new WorkspaceJobs(parts, 2_000);
    const stuck = Array.from({ length: 6 }, () => jobs.handle(listProject(session.project.id)));
    const first = await Promise.race([...stuck, jobs.handle(list(session.record.id))]);
    expect(first).toMatchObject({
      act: 'refused',
      detail: 'The workspace could not be used. The log of the worker says why.',
    });
    expect(await Promise.all(stuck)).toEqual(
      Array(6).fill({
        act: 'refused',
        code: 'WORKSPACE_UNAVAILABLE',
        detail: expect.stringContaining('did not answer in time'),
      }),
    );
  });
});
