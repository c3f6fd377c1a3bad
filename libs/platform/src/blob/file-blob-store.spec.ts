import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createBlobStore } from './blob-store';

describe('a file blob store', () => {
  let root: string;
  const open = () => createBlobStore(`file:${root}`);
  const read = async (key: string) => {
    const stream = await open().get(key);
    return stream === null ? null : buffer(stream);
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'chi-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('returns what was put, from a buffer or a stream, to another instance', async () => {
    const content = randomBytes(300_000);
    await expect(open().put('sessions/s1/1/state', content)).resolves.toEqual({ bytes: 300_000 });
    await expect(
      open().put('sessions/s1/2/state', Readable.from([content.subarray(0, 7), content.subarray(7)])),
    ).resolves.toEqual({ bytes: 300_000 });
    await expect(open().put('empty', Buffer.alloc(0))).resolves.toEqual({ bytes: 0 });
    expect(await read('sessions/s1/1/state')).toEqual(content);
    expect(await read('sessions/s1/2/state')).toEqual(content);
    expect(await read('empty')).toEqual(Buffer.alloc(0));
    expect(statSync(join(root, 'empty')).mode & 0o777).toBe(0o600);
  });

  it('is on the disk when it is put, file and name, unless it may be lost', async () => {
    const handle = await openFile(root, 'r');
    const flushes = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    try {
      await open().put('kept', Buffer.from('x'));
      expect(flushes).toHaveBeenCalledTimes(2);
      await open().put('lost', Buffer.from('x'), { mayBeLost: true });
      expect(flushes).toHaveBeenCalledTimes(2);
      expect((await read('lost'))?.toString()).toBe('x');
    } finally {
      flushes.mockRestore();
      await handle.close();
    }
  });

  it('answers null and false for what is not there', async () => {
    await open().put('a/b', Buffer.from('x'));
    expect([
      await read('a/c'),
      await read('a/b/c'),
      await open().exists('a/b'),
      await open().exists('a/c'),
      await open().exists('a'),
    ]).toEqual([null, null, true, false, false]);
  });

  it('leaves nothing, and keeps what was there, when the content breaks off', async () => {
    await open().put('key', Buffer.from('whole'));
    const breaking = new Readable({
      read() {
        this.push('half');
        this.destroy(new Error('connection lost'));
      },
    });
    await expect(open().put('key', breaking)).rejects.toThrow('connection lost');
    expect((await read('key'))?.toString()).toBe('whole');
    expect(readdirSync(join(root, '.incoming'))).toEqual([]);
  });

  it('sweeps what a process that died was writing, and nothing that is new or stored', async () => {
    await open().sweepIncoming(0);
    mkdirSync(join(root, '.incoming'));
    for (const name of ['left', 'new']) writeFileSync(join(root, '.incoming', name), 'half');
    await open().put('key', Buffer.from('whole'));
    const longAgo = new Date(Date.now() - 120_000);
    for (const name of ['.incoming/left', 'key']) utimesSync(join(root, name), longAgo, longAgo);
    await open().sweepIncoming(60_000);
    expect(readdirSync(join(root, '.incoming'))).toEqual(['new']);
    expect((await read('key'))?.toString()).toBe('whole');
  });

  it('rejects with the error of the disk when the place cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(createBlobStore(`file:${root}/file`).put('key', Buffer.from('x'))).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
  });

  it('lets one of many writers of a key win, whole', async () => {
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.alloc(50_000, at));
    await Promise.all(contents.map((content) => open().put('key', content)));
    const winner = await read('key');
    expect(contents.some((content) => winner !== null && content.equals(winner))).toBe(true);
  });

  it('deletes a blob, a whole prefix and nothing else', async () => {
    for (const key of ['sessions/s1/1/a', 'sessions/s1/2/b', 'sessions/s10/1/a', 'other'])
      await open().put(key, Buffer.from(key));
    await open().delete('sessions/s1');
    await open().delete('other');
    await open().delete('never-there');
    const left = await Promise.all(
      ['sessions/s1/1/a', 'sessions/s1/2/b', 'sessions/s10/1/a', 'other'].map((key) => open().exists(key)),
    );
    expect(left).toEqual([false, false, true, false]);
  });

  it.each([
    '',
    '/',
    '..',
    'a/../b',
    './a',
    'a//b',
    '/a',
    'a/',
    '.incoming',
    'a\0',
    'a/.b',
    'a b',
    `${'x/'.repeat(600)}y`,
    'x'.repeat(201),
  ])('refuses the key %j everywhere', async (key) => {
    await expect(open().put(key, Buffer.from('x'))).rejects.toThrow('invalid blob key');
    await expect(open().get(key)).rejects.toThrow('invalid blob key');
    await expect(open().delete(key)).rejects.toThrow('invalid blob key');
    await expect(open().exists(key)).rejects.toThrow('invalid blob key');
  });

  it('is named by a file URL with an absolute path', () => {
    expect(() => createBlobStore('file:relative')).toThrow(/absolute/);
    expect(() => createBlobStore('s3://bucket/x')).toThrow(/absolute/);
    expect(createBlobStore(`file://${root}`)).toBeDefined();
  });
});
