import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceFixture } from '../../../test/workspace-fixture';
import { tarEntries } from '../download/tar-entries';
import { zipStream } from '../download/zip-stream';
import { UNPACK_LIMITS, UploadUnpacker } from './upload-unpacker';

jest.setTimeout(60_000);

describeAsOrdinaryUser('a project of an upload', () => {
  let fixture: WorkspaceFixture;
  let made: string;

  beforeEach(() => {
    fixture = new WorkspaceFixture();
    made = mkdtempSync(join(tmpdir(), 'chi-up-'));
    mkdirSync(join(made, 'lamp', 'src'), { recursive: true });
    writeFileSync(join(made, 'lamp', 'a.txt'), 'a');
    writeFileSync(join(made, 'lamp', 'src', 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterEach(async () => {
    rmSync(made, { recursive: true, force: true });
    await fixture.close();
  });

  const tar = (...args: string[]) => execFileSync('tar', ['-czPf', '-', ...args], { cwd: made });
  const unpack = async (archive: Buffer, limits: Partial<typeof UNPACK_LIMITS> = {}) => {
    await fixture.blobs.put('upload', archive);
    const directory = fixture.path('unpacked');
    await mkdir(directory, { recursive: true });
    const { branch, report } = await new UploadUnpacker(fixture.scripts, fixture.blobs, {
      ...UNPACK_LIMITS,
      ...limits,
    }).unpack('upload', directory);
    return { branch, directory, leftOut: report.leftOut };
  };
  /** As this product makes one, which is tested with other programs. */
  const zipped = async (directory: string) => {
    const plain = execFileSync('tar', ['--format=gnu', '-cf', '-', '-C', directory, '.'], { maxBuffer: 10 ** 8 });
    const chunks: Buffer[] = [];
    const pieces = async function* () {
      yield plain;
    };
    for await (const chunk of zipStream(tarEntries(pieces()))) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const git = async (directory: string, ...args: string[]) => {
    const script = {
      text: 'git --git-dir="$W/repo.git" "$@"',
      args,
      mounts: { workspace: directory, workspaceReadOnly: true },
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
    };
    return (await fixture.scripts.run(script)).stdout.toString('utf8').trim();
  };

  it('has its files as the first commit, without the one directory around them', async () => {
    const { branch, directory } = await unpack(tar('lamp'));
    expect(branch).toBe('main');
    expect(await git(directory, 'log', '--format=%s', 'main')).toBe('Initial commit');
    expect(await git(directory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toBe(
      '100644 a.txt\n100755 src/run.sh',
    );
  });

  it('keeps several things at the top as they are and links inwards as links, and names what it leaves out', async () => {
    writeFileSync(join(made, 'b.txt'), 'b');
    symlinkSync('/etc/passwd', join(made, 'out'));
    symlinkSync('../../b.txt', join(made, 'lamp', 'up out'));
    symlinkSync('../b.txt', join(made, 'lamp', 'in'));
    execFileSync('mkfifo', [join(made, 'lamp', 'pipe [x]')]);
    const { directory, leftOut } = await unpack(tar('lamp', 'b.txt', 'out'));
    expect(leftOut).toEqual({
      count: 3,
      named: [
        { path: 'lamp/pipe [x]', reason: 'it is a device or a pipe' },
        ...['lamp/up out', 'out'].map((path) => ({ path, reason: 'it is a link that leads out of the archive' })),
      ],
    });
    expect(await git(directory, 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'main')).toBe(
      '100644 b.txt\n100644 lamp/a.txt\n120000 lamp/in\n100755 lamp/src/run.sh',
    );
    expect(await git(directory, 'show', 'main:lamp/in')).toBe('../b.txt');
  });

  it('writes nowhere but into the project: neither upwards, nor to an absolute path, nor through a link', async () => {
    const victim = join(made, 'victim');
    mkdirSync(victim);
    await expect(unpack(tar('--transform', 's#^lamp#../../escaped#', 'lamp'))).rejects.toMatchObject({
      failure: { code: 'SOURCE_INVALID' },
    });
    rmSync(fixture.path('unpacked'), { recursive: true });
    const absolute = await unpack(tar('--transform', `s#^lamp#${victim}/x#`, 'lamp'));
    expect(await git(absolute.directory, 'ls-tree', '-r', '--name-only', 'main')).toContain('a.txt');
    rmSync(fixture.path('unpacked'), { recursive: true });
    symlinkSync(victim, join(made, 'way'));
    const link = execFileSync('tar', ['-cPf', join(made, 'through.tar'), 'way'], { cwd: made });
    expect(link.length).toBe(0);
    rmSync(join(made, 'way'));
    execFileSync('tar', ['-rPf', join(made, 'through.tar'), '--transform', 's#^lamp#way#', 'lamp'], { cwd: made });
    execFileSync('gzip', [join(made, 'through.tar')]);
    await unpack(execFileSync('cat', [join(made, 'through.tar.gz')])).catch((error: { failure: { code: string } }) =>
      expect(error.failure.code).toBe('SOURCE_INVALID'),
    );
    expect(readdirSync(victim)).toEqual([]);
    expect(readdirSync(fixture.root)).not.toContain('escaped');
  });

  it('is the same from a zip archive: modes, links, names, and the history of a repository in it', async () => {
    const work = join(made, 'lamp');
    writeFileSync(join(work, '日本 "x".md'), 'x');
    symlinkSync('a.txt', join(work, 'link'));
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', work, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args]);
    run('init', '-q', '-b', 'trunk');
    run('add', '-A');
    run('commit', '-q', '-m', 'one');
    const archive = await zipped(made);
    const { branch, directory } = await unpack(archive);
    expect([branch, await git(directory, 'log', '--format=%s', 'trunk')]).toEqual(['trunk', 'one']);
    expect(await git(directory, 'ls-tree', '-r', '--format=%(objectmode)', 'trunk')).toBe(
      '100644\n120000\n100755\n100644',
    );
    expect((await git(directory, 'ls-tree', '-rz', '--name-only', 'trunk')).split('\0')).toEqual([
      'a.txt',
      'link',
      'src/run.sh',
      '日本 "x".md',
      '',
    ]);
    expect(readdirSync(directory)).not.toContain('upload.zip');
    rmSync(fixture.path('unpacked'), { recursive: true });
    await expect(unpack(archive, { entries: 3 })).rejects.toMatchObject({ failure: { code: 'SOURCE_TOO_LARGE' } });
    rmSync(fixture.path('unpacked'), { recursive: true });
    await expect(unpack(archive.subarray(0, 200))).rejects.toMatchObject({
      failure: { code: 'SOURCE_INVALID', detail: expect.stringContaining('not a valid .zip') as string },
    });
  });

  it('runs nothing of a repository in it, and keeps its history', async () => {
    const work = join(made, 'lamp');
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', work, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
        stdio: 'pipe',
      });
    run('init', '-q', '-b', 'trunk');
    run('add', '-A');
    run('commit', '-q', '-m', 'one');
    run('commit', '-q', '--allow-empty', '-m', 'two');
    const hook = '#!/bin/sh\ntouch /workspace/ran\n';
    for (const name of ['post-checkout', 'post-upload-pack', 'reference-transaction'])
      writeFileSync(join(work, '.git', 'hooks', name), hook, { mode: 0o755 });
    writeFileSync(join(work, 'fs.sh'), hook, { mode: 0o755 });
    run('config', 'core.fsmonitor', './fs.sh');
    const { branch, directory } = await unpack(tar('lamp'));
    expect(branch).toBe('trunk');
    expect(await git(directory, 'log', '--format=%s', 'trunk')).toBe('two\none');
    expect(readdirSync(directory)).not.toContain('ran');
  });

  it('takes the files of a repository whose objects are damaged, and says that its history is missing', async () => {
    const work = join(made, 'lamp');
    const run = (...args: string[]) =>
      execFileSync('git', ['-C', work, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
        stdio: 'pipe',
      }).toString();
    run('init', '-q', '-b', 'trunk');
    run('add', '-A');
    run('commit', '-q', '-m', 'one');
    const tree = run('rev-parse', 'HEAD^{tree}').trim();
    const path = join(work, '.git', 'objects', tree.slice(0, 2), tree.slice(2));
    rmSync(path);
    writeFileSync(path, 'damaged');
    const { branch, directory, leftOut } = await unpack(tar('lamp'));
    expect(branch).toBe('main');
    expect(await git(directory, 'log', '--format=%s', 'main')).toBe('Initial commit');
    expect(leftOut).toEqual({
      count: 1,
      named: [{ path: '.git', reason: expect.stringMatching(/damaged/) as string }],
    });
  });

  it('keeps names that differ in case alone', async () => {
    mkdirSync(join(made, 'lamp', 'SRC'));
    writeFileSync(join(made, 'lamp', 'A.TXT'), 'upper');
    writeFileSync(join(made, 'lamp', 'SRC', 'run.sh'), 'upper');
    const { directory, leftOut } = await unpack(tar('lamp'));
    expect(leftOut?.count).toBe(0);
    expect(await git(directory, 'ls-tree', '-r', '--name-only', 'main')).toBe('A.TXT\nSRC/run.sh\na.txt\nsrc/run.sh');
  });

  it.each([
    ['is no archive', async () => unpack(Buffer.from('hello')), 'SOURCE_INVALID'],
    ['is cut short', async () => unpack(tar('lamp').subarray(0, 60)), 'SOURCE_INVALID'],
    ['is empty', async () => unpack(tar('-T', '/dev/null')), 'SOURCE_INVALID'],
    ['unpacks to too much', async () => unpack(tar('lamp'), { bytes: 1_000 }), 'SOURCE_TOO_LARGE'],
    ['has too many files', async () => unpack(tar('lamp'), { entries: 2 }), 'SOURCE_TOO_LARGE'],
  ])('says so of one that %s', async (_what, act, code) => {
    await expect(act()).rejects.toMatchObject({ failure: { code } });
  });

  it('says so when the archive is gone', async () => {
    await expect(
      new UploadUnpacker(fixture.scripts, fixture.blobs).unpack('nothing', fixture.root),
    ).rejects.toMatchObject({
      failure: { code: 'SOURCE_NOT_FOUND' },
    });
  });
});
