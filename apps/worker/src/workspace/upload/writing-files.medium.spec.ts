import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import { refusalOf, useOperationFixture, type OperationFixture } from '../../../test/operation-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import type { ActContext } from '../act/act-context';
import { readFile } from '../browse/read-file';
import { writeFile } from './write-file';

jest.setTimeout(60_000);

let fixture: OperationFixture;
let context: ActContext;
useOperationFixture((made, session) => ([fixture, context] = [made, session]));

const agent = (commands: string) => fixture.agent(context, commands);
const etagOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describeAsOrdinaryUser('writing a file into a workspace', () => {
  const write = async (path: string, content: string | Buffer, expected?: string | null, bytes?: number) => {
    const { blobs } = fixture.files;
    const stored = await blobs.put('relays/x/content', Buffer.from(content));
    const order = { path, key: 'relays/x/content', bytes: bytes ?? stored.bytes, expected };
    const reply = await writeFile(context, blobs, order);
    return reply.act === 'write-file' ? reply.file : reply.act;
  };
  const inside = (path: string) => join(context.workspace.workspace, path);

  it('puts the bytes there, with the folders on the way, and says what it is now', async () => {
    const content = randomBytes(3_000_000);
    expect(await write('new/日本 "x"/a\nb.bin', content, null)).toEqual({
      path: 'new/日本 "x"/a\nb.bin',
      size: 3_000_000,
      etag: etagOf(content),
    });
    expect(readFileSync(inside('new/日本 "x"/a\nb.bin')).equals(content)).toBe(true);
    expect(await write('-rf', '', null)).toMatchObject({ size: 0 });
    expect(statSync(inside('-rf')).mode & 0o777).toBe(0o644);
    expect(readdirSync(inside('.')).filter((name) => name.startsWith('.chirality'))).toEqual([]);
  });

  it('replaces only the file that was meant, and keeps its mode', async () => {
    expect(await refusalOf(write('a.txt', 'x', null))).toBe('FILE_EXISTS');
    const seen = await readFile(context, 'a.txt');
    const etag = seen.act === 'read-file' ? seen.file.etag : '';
    await agent('chmod 755 a.txt');
    expect(await write('a.txt', 'second', etag)).toMatchObject({ size: 6 });
    expect(statSync(inside('a.txt')).mode & 0o777).toBe(0o755);
    expect(await refusalOf(write('a.txt', 'third', etag))).toBe('FILE_CHANGED');
    expect(await refusalOf(write('gone.txt', 'x', etag))).toBe('FILE_CHANGED');
    expect(await refusalOf(write('none/gone.txt', 'x', etag))).toBe('FILE_CHANGED');
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('second');
    expect(await write('a.txt', 'whatever', undefined)).toMatchObject({ size: 8 });
  });

  it('writes nothing outside, into git, through a link that leads out, or over what is no file', async () => {
    await agent('ln -s /tmp out; ln -s ../.. up; ln -s a.txt link; mkfifo pipe; ln -s .git repo; ln -s dir in');
    for (const path of ['../x', '/etc/x']) expect(await refusalOf(write(path, 'x'))).toBe('VALIDATION_FAILED');
    for (const path of ['.git/hooks/post-commit', '.git', 'dir/.git/config', ''])
      expect(await refusalOf(write(path, 'x'))).toBe('NOT_FOUND');
    for (const path of ['out/x', 'up/x', 'repo/config', 'repo/new/x'])
      expect([path, await refusalOf(write(path, 'x'))]).toEqual([path, 44]);
    for (const path of ['link', 'pipe', 'dir', 'a.txt/x', 'out'])
      expect([path, await refusalOf(write(path, 'x'))]).toEqual([path, 45]);
    expect(await write('in/c.txt', 'c')).toMatchObject({ size: 1 });
    expect(readFileSync(inside('dir/c.txt'), 'utf8')).toBe('c');
    expect(await agent('ls /tmp')).toBe('');
    expect(await agent('git status --porcelain .git/hooks; cat a.txt')).toBe('1\n2\n3\n');
  });

  it('holds what has not arrived where git does not look, and removes what a killed worker left there', async () => {
    const unfinished = () => readdirSync(inside('.git')).filter((name) => name.startsWith('.chirality-upload-'));
    writeFileSync(inside('.git/.chirality-upload-leftover'), 'half');
    let beside = '';
    const content = async function* () {
      yield Buffer.from('ha');
      await waitFor(() => unfinished().some((name) => !name.endsWith('leftover')), { what: 'the file on its way' });
      expect(unfinished()).toHaveLength(1);
      beside = readdirSync(inside('dir')).join();
      yield Buffer.from('lf');
    };
    const blobs = { get: async () => Readable.from(content(), { objectMode: false }) } as unknown as BlobStore;
    await writeFile(context, blobs, { path: 'dir/new.txt', key: 'k', bytes: 4 });
    expect([beside, unfinished()]).toEqual(['b.txt', []]);
    expect(readFileSync(inside('dir/new.txt'), 'utf8')).toBe('half');
  });

  it('says that a folder takes no file', async () => {
    chmodSync(inside('dir'), 0o555);
    expect(await refusalOf(write('dir/new.txt', 'x', null))).toBe(45);
    chmodSync(inside('dir'), 0o755);
    expect(readdirSync(inside('.git')).filter((name) => name.startsWith('.chirality'))).toEqual([]);
  });

  it('leaves the file as it was when not all of it arrives', async () => {
    expect(await refusalOf(write('a.txt', 'half', undefined, 8))).toBe(47);
    expect(readFileSync(inside('a.txt'), 'utf8')).toBe('1\n2\n3\n');
    const order = { path: 'a.txt', key: 'relays/none/content', bytes: 1 };
    expect(await refusalOf(writeFile(context, fixture.files.blobs, order))).toBe('WORKSPACE_UNAVAILABLE');
    expect(readdirSync(inside('.')).filter((name) => name.startsWith('.chirality'))).toEqual([]);
  });
});
