import { readdir } from 'node:fs/promises';
import {
  PersonaTextRepository,
  ProjectPersonaRepository,
  PurgeRepository,
  SharedWorkspacePointerRepository,
  SharedWorkspaceRepository,
  StatePointerRepository,
} from '@chirality/database';
import { createLogger } from '@chirality/platform';
import {
  buildProject,
  buildSession,
  buildTurn,
  buildWorker,
  buildWorld,
  startTestDatabase,
  type TestDatabase,
} from '@chirality/testing';
import { InstructionRoot } from '../src/instruction/instruction-root';
import { PersonaPrompts } from '../src/persona/persona-prompts';
import { PromptAssembler } from '../src/prompt/prompt-assembler';
import { pointersById } from '../src/state/record/pointers-by-id';
import type { StatePointers } from '../src/state/record/state-pointers';
import { createSessionDisk, type SessionDiskSettings, type WorkerDisk } from '../src/worker/create-session-disk';
import type { SessionRecord } from '../src/state/record/session-record';
import type { PreparedSession } from '../src/state/session/session-disk';
import type { ProjectRecord } from '../src/workspace/project/project.types';
import type { FileChanges } from '../src/workspace/snapshot/file-changes';
import type { StoreOutcome } from '../src/state/session/state-keeper';
import { BundlesInMemory, WorkspaceFixture } from './workspace-fixture';

export interface FixtureWorker extends WorkerDisk {
  id: string;
  pointers: StatePointers;
}

export interface FixtureSession {
  record: SessionRecord;
  project: ProjectRecord;
}

/** Workers with separate disks over one real database and one blob store. */
export class StateFixture {
  private constructor(
    readonly files: WorkspaceFixture,
    readonly database: TestDatabase,
    private readonly world: Awaited<ReturnType<typeof buildWorld>>,
  ) {}

  static async start(): Promise<StateFixture> {
    const database = await startTestDatabase();
    return new StateFixture(new WorkspaceFixture(), database, await buildWorld(database.pool));
  }

  private readonly bundles = new BundlesInMemory();
  private readonly known = new Map<string, FixtureSession>();
  private readonly closing: (() => Promise<void>)[] = [];

  /** A worker with the disk of that name, which may have been another worker's before. */
  async worker(
    disk: string,
    settings: Partial<SessionDiskSettings> & { pointers?: StatePointers } = {},
  ): Promise<FixtureWorker> {
    const { id } = await buildWorker(this.database.pool);
    // Nothing renews it here, and a busy machine takes longer for a suite than a lease lasts.
    await this.database.pool.query(`UPDATE worker SET lease_expires_at = now() + interval '1 hour' WHERE id = $1`, [
      id,
    ]);
    const pointers = pointersById(
      new StatePointerRepository(this.database),
      new SharedWorkspacePointerRepository(this.database),
    );
    const made = createSessionDisk({
      workerId: id,
      dataDir: this.files.path('data', disk),
      allowedRoots: [this.files.path('allowed')],
      sandbox: this.files.sandbox,
      blobs: this.files.blobs,
      pointers,
      bundles: this.bundles,
      sessions: {
        find: async (sessionId) => this.rows(sessionId),
        findProject: async (projectId) => this.projectOf(projectId),
      },
      sharedActs: new SharedWorkspaceRepository(this.database),
      purges: new PurgeRepository(this.database),
      personaScans: new ProjectPersonaRepository(this.database),
      listBranches: () => Promise.reject(new Error('no remote is reached')),
      remotes: { run: () => Promise.reject(new Error('no remote is reached')) },
      prompts: new PromptAssembler(new InstructionRoot(), new PersonaPrompts(new PersonaTextRepository(this.database))),
      log: createLogger({ name: 'test', level: 'silent', dataDir: this.files.path('data', disk) }),
      actLimitMs: 60_000,
      ...settings,
    });
    this.closing.push(made.close);
    return { ...made, id, pointers };
  }

  /** The worker's process and its machine are gone: its lease runs out. */
  async lose(worker: FixtureWorker): Promise<void> {
    await this.database.pool.query(`UPDATE worker SET lease_expires_at = now() - interval '1 second' WHERE id = $1`, [
      worker.id,
    ]);
  }

  /** A session of a new project with these files. */
  async session(
    files: Record<string, string> = { 'a.txt': 'one\n' },
    workspace: 'own' | 'shared' = 'own',
  ): Promise<FixtureSession> {
    const { team, owner } = this.world;
    const project = await buildProject(this.database.pool, { teamId: team.id, createdById: owner.id });
    for (const [path, content] of Object.entries(files))
      await this.files.write(`allowed/${project.id}/${path}`, content);
    return this.sessionOf(
      {
        id: project.id,
        name: project.name,
        source: { kind: 'directory', path: this.files.path('allowed', project.id) },
        bundleKey: null,
      },
      workspace,
    );
  }

  async sessionOf(project: ProjectRecord, workspace: 'own' | 'shared' = 'own'): Promise<FixtureSession> {
    const { team, owner } = this.world;
    const { id } = await buildSession(this.database.pool, {
      teamId: team.id,
      projectId: project.id,
      ownerId: owner.id,
      isShared: workspace === 'shared',
    });
    const { rows } = await this.database.pool.query<{ id: string | null }>(
      'SELECT shared_workspace_id AS id FROM session WHERE id = $1',
      [id],
    );
    const session: FixtureSession = {
      record: { id, projectId: project.id, sharedWorkspaceId: rows[0]?.id ?? null, claudeSessionId: null },
      project,
    };
    this.known.set(id, session);
    return session;
  }

  /** Queues and claims a turn for that worker. */
  async claim(
    worker: FixtureWorker,
    { record }: FixtureSession,
  ): Promise<{ turnId: string; fence: bigint; workspaceFence: bigint | null }> {
    const session = { id: record.id, teamId: this.world.team.id };
    const turn = await buildTurn(this.database.pool, {
      session,
      authorId: this.world.owner.id,
      status: 'running',
      workerId: worker.id,
    });
    for (const [table, id] of [
      ['session', record.id],
      ['shared_workspace', record.sharedWorkspaceId],
    ] as const)
      await this.database.pool.query(`UPDATE ${table} SET holder_worker_id = $2 WHERE id = $1`, [id, worker.id]);
    return { turnId: turn.id, fence: turn.fence, workspaceFence: turn.workspaceFence };
  }

  async launched(turnId: string): Promise<void> {
    await this.database.pool.query(`UPDATE turn SET launch = '{}' WHERE id = $1`, [turnId]);
  }

  async settle(turnId: string, status = 'completed'): Promise<void> {
    await this.database.pool.query(
      'UPDATE turn SET status = $2, active_session_id = NULL, message_cipher = NULL, ended_at = now() WHERE id = $1',
      [turnId, status],
    );
  }

  /**
   * A whole turn: what the agent does is a shell text, run as a turn runs. It says a line of the conversation each
   * time.
   */
  async turn(
    worker: FixtureWorker,
    session: FixtureSession,
    agent: string | null,
  ): Promise<{ prepared: PreparedSession; changes: FileChanges | null; stored: StoreOutcome; fence: bigint }> {
    const { turnId, fence, workspaceFence } = await this.claim(worker, session);
    const prepared = await worker.disk.prepare({
      session: session.record,
      project: session.project,
      fence,
      workspaceFence,
    });
    await worker.disk.markDirty(session.record.id, { attempt: 1, fence });
    await this.launched(turnId);
    session.record.claudeSessionId ??= '11111111-2222-3333-4444-555555555555';
    await this.act(prepared, `${agent ?? ''}\n${this.saying(session, `turn at fence ${fence}`)}`);
    const changes = agent === null ? null : await worker.disk.summariseChanges(session.record.id);
    await this.settle(turnId);
    const { claudeSessionId } = session.record;
    return {
      prepared,
      changes,
      stored: await worker.disk.store({
        sessionId: session.record.id,
        fence,
        mutated: agent !== null,
        claudeSessionId,
      }),
      fence,
    };
  }

  /** Runs a shell text where a turn would, holding the session's lock. */
  async act(prepared: PreparedSession, text: string): Promise<string> {
    const { workspace, config, objects, lockFile } = prepared;
    const identity =
      'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
    const script = {
      text: identity + text,
      mounts: { workspace, config, objects, lockFile },
      timeoutMs: 20_000,
      maxOutputBytes: 100_000,
    };
    return (await this.files.scripts.run(script)).stdout.toString('utf8');
  }

  saying({ record }: FixtureSession, line: string): string {
    return `mkdir -p "$C/projects/-workspace/${record.claudeSessionId}" "$C/tasks/${record.claudeSessionId}"; echo '${line}' >> "$C/projects/-workspace/${record.claudeSessionId}.jsonl"; echo '${line}' > "$C/tasks/${record.claudeSessionId}/1.json"; echo other > "$C/.claude.json"`;
  }

  conversation({ record }: FixtureSession): string {
    return `cat "$C/projects/-workspace/${record.claudeSessionId}.jsonl"; cat "$C/tasks/${record.claudeSessionId}/1.json"`;
  }

  /** What is stored of that session: paths below its own, the random part of a key as `*`. */
  async blobsOf(sessionId: string): Promise<string[]> {
    const root = this.files.path('data', 'blobs', 'sessions', sessionId);
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath.slice(root.length + 1)}/${entry.name}`);
    return paths.map((path) => path.replace(/\/[0-9a-f]{24}\//, '/*/')).sort();
  }

  async close(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    await this.database.close();
    await this.files.close();
  }

  private projectOf(projectId: string): ProjectRecord | null {
    return [...this.known.values()].find(({ project }) => project.id === projectId)?.project ?? null;
  }

  private rows(sessionId: string): { session: SessionRecord; project: ProjectRecord } | null {
    const known = this.known.get(sessionId);
    return known ? { session: known.record, project: known.project } : null;
  }
}
