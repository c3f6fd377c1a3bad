import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { ProjectSource } from '@chirality/contracts';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { UploadUnpacker } from '../project/upload-unpacker';
import { refusalOf } from '../../../test/operation-fixture';
import { buildProjectRecord, WorkspaceFixture } from '../../../test/workspace-fixture';
import { findProjectFiles } from './find-files';
import { listProjectFiles, readProjectFile, type ProjectActContext } from './project-files';

jest.setTimeout(60_000);

const AT = '2026-03-04T05:06:07.000Z';
const IDENTITY = `export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b GIT_COMMITTER_DATE=${AT}; cd "$W"\n`;

let fixture: WorkspaceFixture;
let made = 0;
beforeEach(() => {
  fixture = new WorkspaceFixture();
});
afterEach(() => fixture.close());

async function open(source: ProjectSource, bundleKey: string | null = null): Promise<ProjectActContext> {
  const repository = await fixture.projects('a').ensure(buildProjectRecord({ source, bundleKey }));
  return { scripts: fixture.scripts, repository, timeoutMs: 10_000 };
}

/** Runs a shell text in a new directory below the allowed root. */
async function directory(text: string): Promise<string> {
  made += 1;
  const path = fixture.path('allowed', `p${made}`);
  await mkdir(path, { recursive: true });
  await fixture.scripts.run({
    text: IDENTITY + text,
    mounts: { workspace: path },
    timeoutMs: 20_000,
    maxOutputBytes: 10_000,
  });
  return path;
}

/** A project that is a git repository with one commit of what a shell text makes. */
async function gitProject(text: string): Promise<ProjectActContext> {
  return open({
    kind: 'directory',
    path: await directory(`git init -q -b main .\n${text}\ngit add -A && git commit -q --allow-empty -m one`),
  });
}

/** A project that is an uploaded archive, fetched as a worker fetches it. */
async function uploadedProject(files: Record<string, string>): Promise<ProjectActContext> {
  for (const [path, content] of Object.entries(files)) await fixture.write(`upload/${path}`, content);
  await fixture.blobs.put('upload', execFileSync('tar', ['-czf', '-', '-C', fixture.path('upload'), '.']));
  await fixture
    .projects('a')
    .storeBundle('uploaded.bundle', (into) =>
      new UploadUnpacker(fixture.scripts, fixture.blobs).unpack('upload', into),
    );
  return open({ kind: 'upload' }, 'uploaded.bundle');
}

async function entries(context: ProjectActContext, path = ''): Promise<string[]> {
  const reply = await listProjectFiles(context, path);
  if (reply.act !== 'list-project-files') throw new Error(reply.act);
  return reply.list.data.map((entry) => `${entry.kind} ${entry.path} ${entry.size}`);
}

async function content(context: ProjectActContext, path: string): Promise<unknown> {
  const reply = await readProjectFile(context, path);
  return reply.act === 'read-project-file' && reply.file.content;
}

describeAsOrdinaryUser('listing the files of a project', () => {
  it('shows one level of the commit that sessions start from, whatever the directory has now', async () => {
    const context = await gitProject(
      'mkdir dir .hidden; echo b > dir/b.txt; echo h > .hidden/h; printf 12345 > "z 1"; printf x > Z; ln -s dir/b.txt link; printf n > "$(printf "new\\nline")"',
    );
    expect(await listProjectFiles(context, '')).toEqual({
      act: 'list-project-files',
      list: {
        data: [
          { path: '.hidden', kind: 'directory', size: 0 },
          { path: 'dir', kind: 'directory', size: 0 },
          { path: 'Z', kind: 'file', size: 1 },
          { path: 'link', kind: 'symlink', size: 0 },
          { path: 'new\nline', kind: 'file', size: 1 },
          { path: 'z 1', kind: 'file', size: 5 },
        ],
        nextCursor: null,
        total: 6,
        left: 0,
        commit: { commit: context.repository.baseCommit, at: AT },
      },
    });
    await fixture.write(`allowed/p${made}/later.txt`, 'not committed');
    expect(await entries(context, './dir/')).toEqual(['file dir/b.txt 2']);
    expect(await entries(context)).toHaveLength(6);
  });

  it('lists a large directory in pages that say how much is left', async () => {
    const context = await gitProject('mkdir -p many/zz; cd many; seq 1200 | xargs touch; touch zz/x; cd ..');
    const seen: string[] = [];
    const left: number[] = [];
    let cursor: string | undefined;
    do {
      const reply = await listProjectFiles(context, 'many', cursor);
      if (reply.act !== 'list-project-files') throw new Error(reply.act);
      seen.push(...reply.list.data.map(({ path }) => path));
      left.push(reply.list.left);
      expect(reply.list).toMatchObject({ total: 1_201, commit: { at: AT } });
      cursor = reply.list.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(left).toEqual([701, 201, 0]);
    expect(seen[0]).toBe('many/zz');
    expect(new Set(seen).size).toBe(1_201);
    for (const bad of ['x', '../etc', '0/a/b', '2/a'])
      expect(await refusalOf(listProjectFiles(context, 'many', bad))).toBe('VALIDATION_FAILED');
  });

  it('has the files of an upload, of an empty project, and of a repository without any', async () => {
    const uploaded = await uploadedProject({ 'a.txt': 'a', 'src/b.txt': 'bb' });
    expect(await entries(uploaded)).toEqual(['directory src 0', 'file a.txt 1']);
    expect(await content(uploaded, 'src/b.txt')).toBe('bb');
    const empty = await open({ kind: 'empty' });
    expect(await entries(empty)).toEqual(['file README.md 13']);
    expect(await content(empty, 'README.md')).toBe('# Lighthouse\n');
    expect(await listProjectFiles(await gitProject(':'), '')).toMatchObject({
      list: { data: [], total: 0, nextCursor: null, commit: { at: AT } },
    });
  });

  it('shows a submodule as the empty directory that a session gets', async () => {
    const context = await gitProject('git init -q sub; git -C sub commit -q --allow-empty -m s');
    expect(await entries(context)).toEqual(['directory sub 0']);
    expect(await entries(context, 'sub')).toEqual([]);
    expect(await refusalOf(readProjectFile(context, 'sub'))).toBe(44);
    expect(await refusalOf(listProjectFiles(context, 'sub/x'))).toBe(44);
  });

  it('opens what a directory behind a link has, also what git follows no link to', async () => {
    const context = await gitProject(String.raw`
      mkdir dir; git init -q dir/sub; git -C dir/sub commit -q --allow-empty -m s; ln -s dir in
      printf two > dir/"$(printf 'a\nb')"`);
    expect(await entries(context, 'in')).toEqual(['directory in/sub 0', 'file in/a\nb 3']);
    expect(await entries(context, 'in/sub')).toEqual([]);
    expect(await content(context, 'in/a\nb')).toBe('two');
  });

  it('follows a link within the project and none that leads out', async () => {
    const context = await gitProject(
      'mkdir dir; echo b > dir/b.txt; echo a > a.txt; ln -s dir in; ln -s / root; ln -s ../.. up; ln -s nowhere dangling; ln -s .git repo; ln -s loop loop',
    );
    expect(await entries(context, 'in')).toEqual(['file in/b.txt 2']);
    expect(await content(context, 'in/b.txt')).toBe('b\n');
    for (const path of ['root', 'root/etc', 'up', 'dangling', 'repo', 'loop', 'a.txt', 'none', 'dir/none'])
      expect([path, await refusalOf(listProjectFiles(context, path))]).toEqual([path, 44]);
    for (const path of ['../x', '/etc', 'a\0'])
      expect(await refusalOf(listProjectFiles(context, path))).toBe('VALIDATION_FAILED');
    expect(await refusalOf(listProjectFiles(context, '.git'))).toBe('NOT_FOUND');
  });
});

describeAsOrdinaryUser('finding files of a project', () => {
  it('finds by part of the name at any depth of the commit, whatever the directory has now', async () => {
    const context = await gitProject(
      'mkdir -p dir/deep; touch dir/ÜBER.md; printf 12 > dir/deep/Crane.ts; echo c > crane; ln -s dir/deep crane-link; touch "dir/$(printf "a\ncrane")"; git init -q cranes; git -C cranes commit -q --allow-empty -m s',
    );
    await fixture.write(`allowed/p${made}/crane-later.txt`, 'not committed');
    expect(await findProjectFiles(context, '', 'CRANE')).toEqual({
      act: 'list-project-files',
      list: {
        data: [
          { path: 'crane', kind: 'file', size: 2 },
          { path: 'crane-link', kind: 'symlink', size: 0 },
          { path: 'cranes', kind: 'directory', size: 0 },
          { path: 'dir/a\ncrane', kind: 'file', size: 0 },
          { path: 'dir/deep/Crane.ts', kind: 'file', size: 2 },
        ],
        nextCursor: null,
        total: 5,
        left: 0,
        atLeast: false,
        commit: { commit: context.repository.baseCommit, at: AT },
      },
    });
    const below = await findProjectFiles(context, 'dir', 'deep/c');
    expect(below).toMatchObject({ list: { data: [{ path: 'dir/deep/Crane.ts' }], total: 1 } });
    expect(await findProjectFiles(context, 'dir', 'über')).toMatchObject({ list: { data: [{ path: 'dir/ÜBER.md' }] } });
    for (const part of ['dir/deep/', 'deep/crane.ts', '/crane'])
      expect(await findProjectFiles(context, '', part)).toMatchObject({
        list: { data: expect.arrayContaining([expect.objectContaining({ path: 'dir/deep/Crane.ts' })]) },
      });
    expect(await refusalOf(findProjectFiles(context, 'none', 'c'))).toBe(44);
    expect(await refusalOf(findProjectFiles(context, '', 'a\0b'))).toBe('VALIDATION_FAILED');
    const stopped = findProjectFiles({ ...context, timeoutMs: 1 }, '', 'c');
    expect(await refusalOf(stopped)).toBe('WORKSPACE_UNAVAILABLE');
  });
});

describeAsOrdinaryUser('reading a file of a project', () => {
  it('gives text, and base64 for the rest', async () => {
    const context = await gitProject(String.raw`printf 'caf\303\251' > t; printf '\377\000' > b; : > empty`);
    expect(await readProjectFile(context, 't')).toEqual({
      act: 'read-project-file',
      file: { path: 't', size: 5, encoding: 'utf8', content: 'café', truncated: false },
    });
    expect(await readProjectFile(context, 'b')).toMatchObject({
      file: { size: 2, encoding: 'base64', content: '/wA=', truncated: false },
    });
    expect(await readProjectFile(context, 'empty')).toMatchObject({
      file: { size: 0, encoding: 'utf8', content: '', truncated: false },
    });
  });

  it.each(['yes é', 'cat /dev/urandom'])('answers within 256 KiB whatever is in the file: %s', async (what) => {
    const context = await gitProject(`${what} | head -c 3000000 > large`);
    const reply = await readProjectFile(context, 'large');
    expect(reply).toMatchObject({ file: { size: 3_000_000, truncated: true } });
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThanOrEqual(256 * 1024);
    expect(Buffer.byteLength(JSON.stringify(reply))).toBeGreaterThan(254 * 1024);
  });

  it('reads names that look like options, patterns and commands', async () => {
    const names = [
      '-rf',
      '--help',
      '*',
      '$(id)',
      '; ls',
      ':(top)x',
      ':x',
      'a tree b',
      'a\nb',
      'end\n',
      'HEAD:x',
      '@{1}',
      '^{tree}',
      'foo',
      'foo\r',
    ];
    const context = await gitProject(String.raw`
      for n in -rf --help '*' '$(id)' '; ls' ':(top)x' ':x' 'a tree b' "$(printf 'a\nb')" HEAD:x '@{1}' '^{tree}' foo "$(printf 'foo\r')"; do printf %s "$n" > "./$n"; done
      printf 'end\n' > "$(printf 'end\n_')"; mv "$(printf 'end\n_')" 'end
'; mkdir -- '-d'; printf in > ./-d/-e`);
    for (const name of names) expect([name, await content(context, name)]).toEqual([name, name]);
    expect(await content(context, '-d/-e')).toBe('in');
    expect(await entries(context, '-d')).toEqual(['file -d/-e 2']);
  });

  it('reads no directory and no link that leads out, loops or dangles', async () => {
    const context = await gitProject(
      'mkdir dir; echo b > dir/b.txt; ln -s /etc/passwd passwd; ln -s ../../sess/secret sibling; ln -s nowhere dangling; ln -s loop loop; ln -s .git/config config; ln -s / root; ln -s /etc/passwd "$(printf "a\\nlink")"',
    );
    for (const path of [
      '',
      'dir',
      'passwd',
      'sibling',
      'dangling',
      'loop',
      'config',
      'root/etc/passwd',
      'dir/b.txt/x',
      'a\nlink',
      'none',
      'no tree 1',
      '.git/config',
    ])
      expect([path, [44, 'NOT_FOUND']]).toEqual([
        path,
        expect.arrayContaining([await refusalOf(readProjectFile(context, path))]),
      ]);
  });

  it('lists a name that is not UTF-8, and opens it by what the list names it', async () => {
    const context = await gitProject(String.raw`printf raw > "$(printf 'b\377d.txt')"`);
    expect(await entries(context)).toEqual(['file b\ufffdFFd.txt 3']);
    expect(await readProjectFile(context, 'b\ufffdFFd.txt')).toMatchObject({ file: { content: 'raw' } });
    expect(await refusalOf(readProjectFile(context, 'b\ufffdd.txt'))).toBe(44);
  });
});
