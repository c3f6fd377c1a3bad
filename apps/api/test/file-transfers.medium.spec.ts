import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  FILE_UPLOAD_LIMIT_BYTES,
  type AuditEntry,
  type Page,
  type Session,
  type WorkspaceJob,
  type WorkspaceReply,
} from '@chirality/contracts';
import { createBlobStore, writeRelay, type BlobStore } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

let api: ApiHarness;
let owner: ApiClient;
let session: Session;
let blobs: BlobStore;
let serving: { close(): Promise<void> };
/** What the worker, which is this test, answers. */
let reply: (job: WorkspaceJob) => Promise<WorkspaceReply>;
const jobs: WorkspaceJob[] = [];

beforeAll(async () => {
  api = await ApiHarness.start();
  owner = await api.client.login();
  blobs = createBlobStore(`file:${join(api.dataDir, 'blobs')}`);
  session = await owner.createSession((await owner.createProject()).id, { title: 'Ein "Titel"/日本' });
  serving = api.worker.messaging.serveWorkspaceJobs(api.worker.id, (job) => {
    jobs.push(job);
    return reply(job);
  });
});
afterAll(async () => {
  await serving.close();
  await api.stop();
});
beforeEach(() => jobs.splice(0));

const path = (rest: string) => `/v1/sessions/${session.id}/${rest}`;
const left = () => {
  const relays = join(api.dataDir, 'blobs', 'relays');
  return existsSync(relays) ? readdirSync(relays) : [];
};
async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}
/** A worker that sends this. */
const sends = (content: AsyncIterable<Buffer>, bytes: number | null) => async (job: WorkspaceJob) => {
  if (job.act !== 'open-download') throw new Error(job.act);
  writing = writeRelay(blobs, job.relay, content);
  writing.catch(() => undefined);
  return { act: 'open-download', bytes } as const;
};
let writing: Promise<void>;
const get = (rest: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${owner.token}` };
    httpRequest(new URL(path(rest), api.url), { headers }, resolve)
      .on('error', reject)
      .end();
  });

describe('downloading what a session has', () => {
  it('passes on what the worker sends, as a download that no browser shows', async () => {
    const content = randomBytes(5_000_000);
    reply = sends(piecesOf(content), content.length);
    const response = await get(`files/download?path=${encodeURIComponent('dir/a "b"\n日本.html')}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '5000000',
      'content-disposition':
        'attachment; filename="a _b____.html"; filename*=UTF-8\'\'a%20%22b%22_%E6%97%A5%E6%9C%AC.html',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((await buffer(response)).equals(content)).toBe(true);
    await waitFor(() => left().length === 0, { what: 'nothing is left' });
  });

  it.each<[string, object, string, RegExp]>([
    [
      'files/download?format=zip',
      { form: 'directory', path: '', archive: 'zip' },
      'application/zip',
      /Titel%22_%E6%97%A5%E6%9C%AC\.zip$/,
    ],
    [
      'files/download?path=src&format=tar.gz',
      { form: 'directory', path: 'src', archive: 'tar.gz' },
      'application/gzip',
      /''src\.tar\.gz$/,
    ],
    [
      'diff?format=patch&scope=uncommitted',
      { form: 'patch', query: { scope: 'uncommitted' } },
      'text/x-patch; charset=utf-8',
      /-changes\.patch$/,
    ],
    [
      'diff?format=zip',
      { form: 'changes', query: { scope: 'session' }, archive: 'zip' },
      'application/zip',
      /-changes\.zip$/,
    ],
  ])('asks for %s', async (query, wanted, type, name) => {
    reply = sends(piecesOf(Buffer.from('packed')), null);
    const response = await get(query);
    expect(jobs).toEqual([
      expect.objectContaining({ act: 'open-download', sessionId: session.id, userId: owner.user.id, wanted }),
    ]);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['content-disposition']).toMatch(name);
    expect((await buffer(response)).toString()).toBe('packed');
  });

  it('says what is wrong before anything is sent', async () => {
    reply = async () => ({ act: 'refused', code: 'NOT_FOUND', detail: 'There is no such file.' });
    expect((await owner.get(path('files/download?path=none')).expect(404)).body).toMatchObject({ code: 'NOT_FOUND' });
    for (const query of ['files/download', 'files/download?path=a&format=rar', 'diff?format=zip&commit=abc'])
      expect((await owner.get(path(query)).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    const viewer = await owner.invite((await owner.team()).id, 'viewer@example.org', 'viewer');
    expect((await viewer.get(path('files/download?format=zip')).expect(404)).body).toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
  });

  it('is cut, and never passes for whole, when the worker fails or the file became shorter', async () => {
    const failing = async function* () {
      yield randomBytes(200_000);
      throw new Error('the script failed');
    };
    reply = sends(failing(), null);
    await expect(buffer(await get('files/download?format=zip'))).rejects.toThrow('aborted');
    reply = sends(piecesOf(randomBytes(1_000)), 2_000);
    await expect(buffer(await get('files/download?path=a'))).rejects.toThrow('aborted');
    await waitFor(() => left().length === 0, { what: 'nothing is left' });
  });

  it('ends the worker’s part when the client leaves', async () => {
    const endless = async function* () {
      for (;;) yield randomBytes(100_000);
    };
    reply = sends(endless(), null);
    const response = await get('files/download?format=tar.gz');
    response.once('data', () => response.destroy());
    response.on('error', () => undefined);
    await expect(writing).rejects.toThrow('the reader is gone');
    expect(left()).toEqual([]);
  });

  it('holds little in memory, however slowly the client reads', async () => {
    const zeros = Buffer.alloc(65_536);
    const large = async function* () {
      for (let n = 0; n < 8_000; n++) yield zeros;
    };
    reply = sends(large(), null);
    const before = process.memoryUsage().rss;
    let bytes = 0;
    let most = 0;
    for await (const chunk of await get('files/download?format=tar.gz')) {
      bytes += (chunk as Buffer).length;
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(bytes).toBe(8_000 * 65_536);
    expect(most).toBeLessThan(200 * 1024 * 1024);
  });
});

describe('putting a file into a session', () => {
  const put = (name: string, body: Buffer | string, headers: Record<string, string> = {}) =>
    owner
      .send('put', path(`files/content?path=${encodeURIComponent(name)}`))
      .set({ 'content-type': 'application/octet-stream', ...headers })
      .send(body);
  let seen: Buffer | null = null;
  const takes = async (job: WorkspaceJob): Promise<WorkspaceReply> => {
    if (job.act !== 'write-file') throw new Error(job.act);
    const content = await blobs.get(job.key);
    seen = content && (await buffer(content));
    return { act: 'write-file', file: { path: job.path, size: job.bytes, etag: 'e1' } };
  };

  it('hands the bytes to the worker, with what is expected there, and records who did it', async () => {
    const content = randomBytes(3_000_000);
    reply = takes;
    expect((await put('new/日本.bin', content).expect(200)).body).toEqual({
      path: 'new/日本.bin',
      size: 3_000_000,
      etag: 'e1',
    });
    expect(seen?.equals(content)).toBe(true);
    await put('a', 'x', { 'if-match': '"abc"' }).expect(200);
    await put('a', 'x', { 'if-match': '*' }).expect(200);
    await put('a', '', { 'if-none-match': '*' }).expect(200);
    expect(jobs.map((job) => 'expected' in job && job.expected)).toEqual([null, 'abc', false, null]);
    expect(left()).toEqual([]);
    const audit = (await owner.get(`/v1/audit?teamId=${session.teamId}`).expect(200)).body as Page<AuditEntry>;
    expect(audit.data.filter(({ action }) => action === 'session:upload').at(-1)).toMatchObject({
      object: session.id,
      detail: { path: 'new/日本.bin', bytes: 3_000_000 },
    });
  });

  it('asks before it replaces a file, and says when it is another one by now', async () => {
    reply = async () => ({ act: 'refused', code: 'FILE_EXISTS', detail: 'A file of this name exists already.' });
    expect((await put('a', 'x').expect(409)).body).toMatchObject({ code: 'FILE_EXISTS' });
    expect((await put('a', 'x', { 'if-none-match': '*' }).expect(412)).body).toMatchObject({ code: 'FILE_CHANGED' });
    reply = async () => ({ act: 'refused', code: 'FILE_CHANGED', detail: 'The file changed.' });
    expect((await put('a', 'x', { 'if-match': '"old"' }).expect(412)).body).toMatchObject({ code: 'FILE_CHANGED' });
    expect(left()).toEqual([]);
  });

  it('takes no more than it may, nothing that was changed on the way, and nothing from those who only read', async () => {
    reply = takes;
    const length = { 'content-length': String(FILE_UPLOAD_LIMIT_BYTES + 1) };
    const sending = httpRequest(new URL(path('files/content?path=a'), api.url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/octet-stream', ...length },
    });
    sending.on('error', () => undefined);
    const status = new Promise<number | undefined>((resolve) =>
      sending.on('response', (answer) => resolve(answer.statusCode)),
    );
    sending.flushHeaders();
    expect(await status).toBe(413);
    sending.destroy();
    await put('a', 'x', { 'content-encoding': 'gzip' }).expect(400);
    await put('a', '{}', { 'content-type': 'application/json' }).expect(400);
    await put('', 'x').expect(400);
    const shared = await owner.createSession((await owner.createProject()).id, { visibility: 'project_read' });
    const member = await owner.invite((await owner.team()).id, 'member@example.org', 'member');
    const refused = await member.send('put', `/v1/sessions/${shared.id}/files/content?path=a`).expect(403);
    expect(refused.body).toMatchObject({ code: 'FORBIDDEN' });
    expect(jobs).toEqual([]);
    expect(left()).toEqual([]);
  });
});
