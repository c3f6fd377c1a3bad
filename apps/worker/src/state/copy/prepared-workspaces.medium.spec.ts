import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import { DiskLayout } from '../../workspace/disk/disk-layout';
import type { ProjectRepository } from '../../workspace/project/project.types';
import { WorkspaceMaker } from '../../workspace/session/workspace-maker';
import { PreparedWorkspaces } from './prepared-workspaces';

jest.setTimeout(60_000);

describeAsOrdinaryUser('files that lie ready for the next session', () => {
  let fixture: WorkspaceFixture;
  let layout: DiskLayout;
  let repository: ProjectRepository;
  let trash: ReturnType<WorkspaceFixture['trash']>;

  beforeEach(async () => {
    fixture = new WorkspaceFixture();
    trash = fixture.trash('a');
    layout = new DiskLayout(fixture.path('data', 'a'));
    await fixture.write('allowed/p/a.txt', 'one');
    const source = { kind: 'directory' as const, path: fixture.path('allowed', 'p') };
    repository = await fixture.projects('a').ensure(buildProjectRecord({ source }));
  });
  afterEach(async () => {
    await trash.emptied();
    await fixture.close();
  });

  const ready = (minPackBytes = 0) => {
    const maker = new WorkspaceMaker(fixture.scripts);
    return new PreparedWorkspaces({ layout, maker, trash }, minPackBytes);
  };
  const take = async (ahead: PreparedWorkspaces, baseCommit = repository.baseCommit) => {
    const into = layout.aside('sessions');
    await mkdir(into.dir, { recursive: true });
    return { into, tree: await ahead.take('proj_1', repository, { into, baseCommit, branch: 'chirality/sess_1' }) };
  };
  const looksLike = async (workspace: string) => {
    const text = 'cd "$W"; git status --porcelain=v2 --branch; git for-each-ref --format="%(refname)"; cat a.txt';
    const mounts = { workspace, objects: repository.objects };
    const { stdout } = await fixture.scripts.run({ text, mounts, timeoutMs: 10_000, maxOutputBytes: 10_000 });
    return stdout.toString('utf8');
  };

  it('are taken once, on the branch of the session that takes them and as clean as newly made ones', async () => {
    const ahead = ready();
    await ahead.prepare('proj_1', repository);
    await ahead.prepare('proj_1', repository);
    expect(readdirSync(layout.sessions)).toHaveLength(1);
    const { into, tree } = await take(ahead);
    expect(tree).toMatch(/^[0-9a-f]{40}$/);
    expect(await looksLike(into.workspace)).toBe(
      `# branch.oid ${repository.baseCommit}\n# branch.head chirality/sess_1\nrefs/heads/chirality/sess_1\none`,
    );
    expect(existsSync(into.snapshot)).toBe(true);
    expect((await take(ahead)).tree).toBeNull();
  });

  it('are made while the repository is moved to its place, and removed where the project has other files', async () => {
    const ahead = ready();
    const moved = { ...repository, objects: fixture.path('elsewhere', 'objects') };
    await cp(repository.objects, moved.objects, { recursive: true });
    await ahead.prepare('proj_1', moved);
    await rename(fixture.path('elsewhere'), fixture.path('moved'));
    const { into, tree } = await take(ahead);
    expect(tree).toMatch(/^[0-9a-f]{40}$/);
    expect(await looksLike(into.workspace)).toContain('refs/heads/chirality/sess_1');
    await ahead.prepare('proj_1', repository);
    await ahead.drop('proj_1');
    expect(readdirSync(layout.sessions)).toHaveLength(1);
    expect((await take(ahead)).tree).toBeNull();
  });

  it('are none of another commit, of a small project, or where they were removed meanwhile', async () => {
    const other = ready();
    await other.prepare('proj_1', repository);
    expect((await take(other, 'f'.repeat(40))).tree).toBeNull();
    const small = ready(1024 ** 3);
    await small.prepare('proj_1', repository);
    expect((await take(small)).tree).toBeNull();
    const removed = ready();
    await removed.prepare('proj_1', repository);
    for (const name of readdirSync(layout.sessions)) await trash.discard(`${layout.sessions}/${name}`);
    const { into, tree } = await take(removed);
    expect([tree, existsSync(into.workspace)]).toEqual([null, false]);
  });
});
