import { mkdir, writeFile } from 'node:fs/promises';
import type { ActContext } from '../src/workspace/act/act-context';
import { WorkspaceMaker } from '../src/workspace/session/workspace-maker';
import { buildProjectRecord, WorkspaceFixture } from './workspace-fixture';

/** Workspaces of sessions of one project, which has `a.txt` (three lines) and `dir/b.txt`, for acts on them. */
export class OperationFixture {
  readonly files = new WorkspaceFixture();
  private made = 0;

  async open(): Promise<void> {
    await this.files.write('allowed/p/a.txt', '1\n2\n3\n');
    await this.files.write('allowed/p/dir/b.txt', 'b\n');
  }

  close(): Promise<void> {
    return this.files.close();
  }

  /** A fresh session's workspace, at the project's base commit. */
  async session(): Promise<ActContext> {
    this.made += 1;
    const { files } = this;
    const project = buildProjectRecord({ source: { kind: 'directory', path: files.path('allowed', 'p') } });
    const repository = await files.projects('a').ensure(project);
    const directory = files.path('sessions', `sess${this.made}`);
    const directories = {
      workspace: `${directory}/workspace`,
      snapshot: `${directory}/snapshot`,
      objects: repository.objects,
    };
    for (const path of [directories.workspace, directories.snapshot]) await mkdir(path, { recursive: true });
    await writeFile(`${directory}/lock`, '');
    await new WorkspaceMaker(files.scripts).create(directories, repository.baseCommit, 'chirality/s');
    return {
      scripts: files.scripts,
      workspace: { ...directories, baseCommit: repository.baseCommit, lockFile: `${directory}/lock` },
      timeoutMs: 10_000,
    };
  }

  /** What the agent does to its workspace. Answers what the commands printed. */
  async agent({ workspace: { workspace, objects } }: ActContext, text: string): Promise<string> {
    const identity =
      'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b; cd "$W"\n';
    const script = {
      text: identity + text,
      mounts: { workspace, objects },
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
    };
    return (await this.files.scripts.run(script)).stdout.toString('utf8');
  }
}

/** The code with which an act was refused, or 'answered'. */
export async function refusalOf(act: Promise<unknown>): Promise<unknown> {
  return act.then(
    () => 'answered',
    (error: { code: unknown }) => error.code,
  );
}

/** A fixture for the tests of this file, with a fresh session for each of them: `take` is given it before the test. */
export function useOperationFixture(take: (fixture: OperationFixture, context: ActContext) => void): void {
  const fixture = new OperationFixture();
  beforeAll(() => fixture.open());
  afterAll(() => fixture.close());
  beforeEach(async () => take(fixture, await fixture.session()));
}
