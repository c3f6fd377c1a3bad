import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { WantedDownload } from '@chirality/contracts';
import { createBlobStore, newRelayId, readRelay, type BlobStore } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import type { ActContext } from '../act/act-context';
import { Downloads } from './downloads';

jest.setTimeout(120_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const agent = (commands: string) => fixture.agent(context, commands);
const SESSION = { base: undefined, scope: 'session' } as const;
/** Names that are hard to carry, as a script writes them and as their bytes. */
const NAMES: [script: string, bytes: Buffer][] = [
  ["'日本語.md'", Buffer.from('日本語.md')],
  ["'👩‍💻.ts'", Buffer.from('👩‍💻.ts')],
  ["'a\"b\\c.txt'", Buffer.from('a"b\\c.txt')],
  ["' lead'", Buffer.from(' lead')],
  ["-- '-rf'", Buffer.from('-rf')],
  ['"$(printf \'new\\nline\')"', Buffer.from('new\nline')],
  ['"$(printf \'tab\\tname\')"', Buffer.from('tab\tname')],
  ['"$(printf \'not\\377utf8\')"', Buffer.from('not\xffutf8', 'latin1')],
  [`"${'n'.repeat(120)}"`, Buffer.from('n'.repeat(120))],
];

describeAsOrdinaryUser('sending files out of a workspace', () => {
  let root: string;
  let blobs: BlobStore;
  let downloads: Downloads;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chi-'));
    blobs = createBlobStore(`file:${root}`);
    downloads = new Downloads(blobs, { warn: () => undefined });
  });
  afterEach(async () => {
    await downloads.close();
    rmSync(root, { recursive: true });
  });

  const open = async (wanted: WantedDownload, relay = newRelayId()) => {
    const reply = await downloads.open(context, { sessionId: 's', userId: 'u', relay, wanted });
    if (reply.act !== 'open-download') throw new Error(reply.act);
    return { bytes: reply.bytes, relay, content: readRelay(blobs, relay) };
  };
  const download = async (wanted: WantedDownload) => buffer((await open(wanted)).content);
  const zipped = async (path: string) => entriesOf(await download({ form: 'directory', path, archive: 'zip' }));

  it('gives the exact bytes of a file, whatever they are, through a link too, and its size before', async () => {
    await agent(String.raw`printf '\377\376\000a\r\n' > utf16; mkdir in; ln -s ../utf16 in/link; : > empty`);
    const { bytes, content } = await open({ form: 'file', path: 'in/link' });
    expect([bytes, (await buffer(content)).toString('latin1')]).toEqual([6, '\xff\xfe\0a\r\n']);
    expect(await download({ form: 'file', path: 'empty' })).toEqual(Buffer.alloc(0));
    await agent('head -c 9000000 /dev/urandom > large');
    const sum = (await agent('sha256sum < large')).slice(0, 64);
    const large = await download({ form: 'file', path: 'large' });
    expect(createHash('sha256').update(large).digest('hex')).toBe(sum);
  });

  it('sends nothing that is not a file of the workspace', async () => {
    await agent('ln -s /etc/passwd out; ln -s ../.. up; mkfifo pipe; ln -s nowhere dangling; ln -s .git repo');
    for (const path of ['out', 'up/x', 'pipe', 'dangling', 'none', 'repo/config'])
      expect([path, await refusalOf(open({ form: 'file', path }))]).toEqual([path, 44]);
    for (const path of ['.git/config', '.git']) expect(await refusalOf(open({ form: 'file', path }))).toBe('NOT_FOUND');
    expect(await refusalOf(open({ form: 'file', path: 'dir' }))).toBe(45);
    for (const path of ['../x', '/etc']) expect(await refusalOf(zipped(path))).toBe('VALIDATION_FAILED');
    for (const path of ['up', 'none', 'a.txt']) expect(await refusalOf(zipped(path))).toBe(44);
    expect(readdirSync(root)).toEqual([]);
  });

  it('packs a directory with every name as it is, links as links, and nothing of git', async () => {
    await agent(
      'mkdir -p d/sub d/hollow; printf x > d/sub/run; chmod 755 d/sub/run; ln -s /etc/passwd d/out; mkfifo d/pipe',
    );
    await agent(
      `cd d; git init -q nested; echo n > nested/n.txt; ln sub/run hard; ${NAMES.map(([name]) => `touch ${name}`).join('; ')}`,
    );
    const zip = await zipped('d');
    const names = zip.map(({ name }) => name.toString('latin1')).toSorted();
    const files = ['sub/', 'sub/run', 'hard', 'hollow/', 'out', 'nested/', 'nested/n.txt'];
    expect(names).toEqual([...files, ...NAMES.map(([, bytes]) => bytes.toString('latin1'))].toSorted());
    const found = (name: string) => zip.find((entry) => entry.name.toString() === name);
    expect(found('sub/run')).toMatchObject({ mode: 0o100755, content: 'x', utf8: true });
    expect(found('hard')).toMatchObject({ mode: 0o100755, content: 'x' });
    expect(found('out')).toMatchObject({ mode: 0o120777, content: '/etc/passwd' });
    expect(zip.find(({ name }) => name.includes(0xff))).toMatchObject({ utf8: false });

    const tar = await download({ form: 'directory', path: 'd', archive: 'tar.gz' });
    const into = join(root, 'into');
    spawnSync('mkdir', [into]);
    expect(spawnSync('tar', ['-xzf', '-', '-C', into], { input: tar }).status).toBe(0);
    const unpacked = readdirSync(into, { encoding: 'buffer' }).map((name) => name.toString('latin1'));
    expect(unpacked.toSorted()).toEqual(
      ['hard', 'hollow', 'nested', 'out', 'sub', ...NAMES.map(([, bytes]) => bytes.toString('latin1'))].toSorted(),
    );
    rmSync(into, { recursive: true });
  });

  it('is a zip archive that other programs take, of small, large and empty files', async () => {
    await agent(
      'mkdir z; seq 200000 > z/large; head -c 700000 /dev/urandom > z/noise; : > z/empty; echo hi > "z/日本.md"',
    );
    const archive = join(root, 'a.zip');
    writeFileSync(archive, await download({ form: 'directory', path: 'z', archive: 'zip' }));
    const { status, stdout } = spawnSync('python3', [
      '-c',
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip()); print(sorted((i.filename, i.file_size) for i in z.infolist()))',
      archive,
    ]);
    if (status !== null)
      expect(stdout.toString()).toBe(`None\n[('empty', 0), ('large', 1288895), ('noise', 700000), ('日本.md', 3)]\n`);
    expect((await zipped('z')).map(({ content }) => content.length).toSorted((a, b) => a - b)).toEqual([
      0, 3, 700_000, 1_288_895,
    ]);
  });

  it('gives all changes as a patch that git applies, binary files, large new ones and every name included', async () => {
    await agent(
      String.raw`echo more >> a.txt; git mv dir/b.txt dir/c.txt; printf '\000\001\002' > b.bin; head -c 34000000 /dev/zero > big; printf 'x\n' > '日本語.md'; printf y > "$(printf 'tab\tname')"`,
    );
    const patch = await download({ form: 'patch', query: { ...SESSION } });
    expect(patch.toString()).toContain('+++ b/日本語.md');
    const other = await fixture.session();
    const script = {
      text: 'cat > /tmp/p; cd "$W"; git apply /tmp/p; git add -A; git write-tree',
      mounts: { workspace: other.workspace.workspace, objects: other.workspace.objects },
      timeoutMs: 60_000,
      maxOutputBytes: 1_000,
    };
    const { stdout } = await fixture.files.scripts.run({ ...script, stdin: patch });
    expect(stdout.toString()).toBe(await agent('git add -A; git write-tree'));
  });

  it('packs the changed files as they are now', async () => {
    await agent(
      'echo more >> a.txt; rm dir/b.txt; mkdir new; echo n > "new/日本語.md"; ln -s /etc/passwd new/out; echo i > .gitignore; echo x > i',
    );
    const zip = await entriesOf(await download({ form: 'changes', query: { ...SESSION }, archive: 'zip' }));
    expect(zip.map(({ name, content }) => [name.toString(), content]).toSorted()).toEqual([
      ['.gitignore', 'i\n'],
      ['a.txt', '1\n2\n3\nmore\n'],
      ['new/out', '/etc/passwd'],
      ['new/日本語.md', 'n\n'],
    ]);
    expect(await refusalOf(open({ form: 'patch', query: { ...SESSION, base: '--output=x' } }))).toBe(
      'VALIDATION_FAILED',
    );
  });

  it('refuses what is too large before it begins, and more at once than it may', async () => {
    downloads = new Downloads(blobs, { warn: () => undefined }, { bytes: 1_000_000, perSession: 1 });
    await agent('truncate -s 1G sparse; mkdir many; head -c 600000 /dev/zero > many/a; cp many/a many/b');
    expect(await refusalOf(open({ form: 'file', path: 'sparse' }))).toBe(46);
    expect(await refusalOf(zipped('many'))).toBe(46);
    expect(await refusalOf(zipped(''))).toBe(46);
    await agent('head -c 900000 /dev/urandom > one');
    const held = await open({ form: 'file', path: 'one' });
    expect(await refusalOf(open({ form: 'file', path: 'a.txt' }))).toBe('WORKSPACE_UNAVAILABLE');
    expect((await buffer(held.content)).length).toBe(900_000);
    const isFree = () =>
      open({ form: 'file', path: 'a.txt' }).then(
        ({ content }) => text(content),
        () => '',
      );
    await waitFor(async () => (await isFree()) !== '', { what: 'the place of a download that ended' });
  });

  it('holds little of it in memory and on disk, however large it is and however slow its reader', async () => {
    await agent('truncate -s 400M hollow');
    for (const wanted of [
      { form: 'file', path: 'hollow' },
      { form: 'directory', path: '', archive: 'zip' },
    ] as const) {
      const { content } = await open(wanted);
      const before = process.memoryUsage().arrayBuffers;
      let [seen, most, mostStored] = [0, 0, 0];
      for await (const chunk of content) {
        seen += (chunk as Buffer).length;
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        mostStored = Math.max(mostStored, readdirSync(join(root, 'relays'), { recursive: true }).length);
      }
      expect(seen).toBeGreaterThan(wanted.form === 'file' ? 419_430_399 : 400_000);
      expect(most).toBeLessThan(128 * 1024 * 1024);
      expect(mostStored).toBeLessThan(24);
    }
  });

  it('ends the script and leaves nothing when the reader leaves or the worker stops', async () => {
    await agent('truncate -s 1900M hollow');
    const { content } = await open({ form: 'file', path: 'hollow' });
    for await (const chunk of content) if ((chunk as Buffer).length > 0) break;
    await waitFor(() => readdirSync(join(root, 'relays')).length === 0, { what: 'the end of what is not read' });

    const stopped = await open({ form: 'directory', path: '', archive: 'zip' });
    await downloads.close();
    await expect(buffer(stopped.content)).rejects.toThrow('the writer could not finish');
    expect(existsSync(join(root, 'relays', stopped.relay))).toBe(false);
  });
});

type Found = { name: Buffer; utf8: boolean; mode: number; content: string };

async function entriesOf(archive: Buffer): Promise<Found[]> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer)(archive, {
    lazyEntries: true,
    decodeStrings: false,
  });
  const found: Found[] = [];
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(found));
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        void buffer(stream).then((content) => {
          found.push({
            name: entry.fileName as unknown as Buffer,
            utf8: (entry.generalPurposeBitFlag & (1 << 11)) !== 0,
            mode: entry.externalFileAttributes >>> 16,
            content:
              content.toString('latin1') === content.toString('utf8')
                ? content.toString('utf8')
                : content.toString('latin1'),
          });
          zip.readEntry();
        }, reject);
      });
    });
    zip.readEntry();
  });
}
