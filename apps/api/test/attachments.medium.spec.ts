import { existsSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { ATTACHMENT_LIMIT_BYTES, type Attachment, type Envelope, type Session, type Turn } from '@chirality/contracts';
import { AttachmentRepository } from '@chirality/database';
import { newId } from '@chirality/domain';
import { createBlobStore } from '@chirality/platform';
import { samplePdf, samplePng, waitFor } from '@chirality/testing';
import type { Test } from 'supertest';
import { AttachmentCleaner } from '../src/attachment/attachment-cleaner';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('files for messages', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let member: ApiClient;
  let viewer: ApiClient;
  let projectId: string;
  let session: Session;

  beforeAll(async () => {
    api = await ApiHarness.start({ checkAnswers: true });
    owner = await api.client.login();
    const teamId = (await owner.team()).id;
    member = await owner.invite(teamId, 'member@example.org', 'member');
    viewer = await owner.invite(teamId, 'viewer@example.org', 'viewer');
    projectId = (await owner.createProject()).id;
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    session = await owner.createSession(projectId, { visibility: 'project' });
  });

  const route = (id = '') => `/v1/sessions/${session.id}/attachments${id && `/${id}`}`;
  const post = (who: ApiClient, name: string, content: Buffer | string, type = 'application/octet-stream'): Test =>
    who
      .send('post', `${route()}?name=${encodeURIComponent(name)}`)
      .set('content-type', type)
      .send(content);
  const upload = async (name: string, content: Buffer | string = 'a,b\n1,2\n', who = owner) =>
    (await post(who, name, content).expect(201)).body as Attachment;
  const download = (who: ApiClient, id: string) =>
    who
      .get(route(id))
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  const send = (ids: string[], message = 'Look at this', who = owner) =>
    who.post(`/v1/sessions/${session.id}/turns`, { message, attachments: ids });
  const accepted = async (ids: string[], message?: string) =>
    ((await send(ids, message).expect(202)).body as { turn: Turn }).turn;
  const settle = async () => api.worker.settle(await api.worker.claimOf(session.id), 'fail');
  const blobs = () => {
    const directory = join(api.dataDir, 'blobs', 'attachments', session.id);
    return existsSync(directory) ? readdirSync(directory).sort() : [];
  };
  const codeOf = async (test: Test, status: number) => ((await test.expect(status)).body as { code: string }).code;

  it('are what their content is, whatever they are named and said to be', async () => {
    const png = samplePng(40, 30);
    expect(await upload('notes.txt', png)).toEqual({
      id: expect.stringMatching(/^att_/) as string,
      name: 'notes.txt',
      mediaType: 'image/png',
      bytes: png.length,
      kind: 'image',
      width: 40,
      height: 30,
    });
    const others: [string, Buffer | string, string, string][] = [
      ['paper.png', samplePdf(), 'document', 'application/pdf'],
      ['data.csv', 'a,b\n', 'file', 'text/plain'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'file', 'any'],
      ['page.html', '<!doctype html><script>alert(1)</script>', 'file', 'text/plain'],
      ['broken.png', png.subarray(0, 12), 'file', 'any'],
      ['bytes.bin', Buffer.from([0, 1, 2, 255]), 'file', 'application/octet-stream'],
    ];
    for (const [name, content, kind, mediaType] of others) {
      const { body } = await post(owner, name, content, 'image/png').expect(201);
      expect(body).toMatchObject({ name, kind, ...(mediaType === 'any' ? {} : { mediaType }) });
      expect(body).not.toHaveProperty('width');
    }
    const json = await post(owner, 'data.json', '{"a":1}', 'application/json').expect(201);
    expect((await download(owner, (json.body as Attachment).id).expect(200)).body).toEqual(Buffer.from('{"a":1}'));
  });

  it('are named safely, and each differently', async () => {
    const names = [];
    for (const name of ['image.png', 'image.png', '../../etc/passwd', '日本語.md', 'a\nb'])
      names.push((await upload(name)).name);
    expect(names).toEqual(['image.png', 'image-2.png', 'passwd', '日本語.md', 'a_b']);
    expect(
      (await Promise.all(Array.from({ length: 5 }, () => upload('same.txt')))).map(({ name }) => name).sort(),
    ).toEqual(['same-2.txt', 'same-3.txt', 'same-4.txt', 'same-5.txt', 'same.txt']);
  });

  it('come back as files that no browser opens as a page', async () => {
    const html = '<!doctype html><script>alert(1)</script>';
    const { id } = await upload('päge".html', html);
    const { headers, body } = await download(owner, id).expect(200);
    expect(body).toEqual(Buffer.from(html));
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''p%C3%A4ge/) as string,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
    const picture = await download(owner, (await upload('a.png', samplePng())).id).expect(200);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="a.png"; filename*=UTF-8\'\'a.png',
      'x-content-type-options': 'nosniff',
    });
  });

  it('are seen by who uploaded them alone, until they are sent', async () => {
    const { id } = await upload('data.csv');
    for (const who of [member, viewer]) expect(await codeOf(who.get(route(id)), 404)).toBe('NOT_FOUND');
    expect(await codeOf(send([id], 'not mine', member), 404)).toBe('NOT_FOUND');
    expect(await codeOf(member.delete(route(id)), 404)).toBe('NOT_FOUND');
    await accepted([id]);
    for (const who of [member, viewer]) await download(who, id).expect(200);
    expect(await codeOf(owner.delete(route(id)), 409)).toBe('CONFLICT');
    await settle();
    // A message is sent again with what it had, by anyone who may write.
    await send([id], 'again', member).expect(202);
    await settle();
  });

  it('go with their message, once for a key, and its event and turn name them in their order', async () => {
    const [first, second] = [await upload('first.csv'), await upload('second.png', samplePng())];
    const body = { message: '', attachments: [second.id, first.id, second.id] };
    const ask = (sent: object) => owner.post(`/v1/sessions/${session.id}/turns`, sent).set('idempotency-key', 'one');
    const { turn } = (await ask(body).expect(202)).body as { turn: Turn };
    expect(turn).toMatchObject({ message: '', attachments: [second, first] });
    expect((await ask(body).expect(202)).body).toMatchObject({ turn: { id: turn.id, attachments: [second, first] } });
    expect(await codeOf(ask({ ...body, attachments: [first.id] }), 422)).toBe('IDEMPOTENCY_MISMATCH');
    const { data } = (await owner.get(`/v1/sessions/${session.id}/events`).expect(200)).body as { data: Envelope[] };
    expect(data.find(({ kind }) => kind === 'turn:queued')?.payload).toEqual({
      turnKind: 'message',
      message: '',
      attachments: [second, first],
      position: 1,
    });
    const claimed = await api.worker.claimOf(session.id);
    expect(claimed.hasAttachments).toBe(true);
    expect(await new AttachmentRepository(api.worker.database).listSent(session.id, turn.id)).toEqual([
      { turnId: turn.id, attachment: second },
      { turnId: turn.id, attachment: first },
    ]);
    await api.worker.settle(claimed, 'fail');
    const plain = await owner.sendTurn(session.id, 'plain');
    expect(plain.attachments).toEqual([]);
    await settle();
  });

  it('are refused with a message that cannot be sent so, and nothing is accepted', async () => {
    const { id } = await upload('data.csv');
    const removed = await upload('removed.csv');
    await owner.delete(route(removed.id)).expect(204);
    for (const missing of [removed.id, newId('attachment')])
      expect(await codeOf(send([id, missing]), 404)).toBe('NOT_FOUND');
    expect(await codeOf(send(['x']), 400)).toBe('VALIDATION_FAILED');
    const many = Array.from({ length: 21 }, () => newId('attachment'));
    expect(await codeOf(send(many), 413)).toBe('ATTACHMENT_TOO_LARGE');
    const elsewhere = await owner.createSession(projectId);
    expect(
      await codeOf(owner.post(`/v1/sessions/${elsewhere.id}/turns`, { message: 'x', attachments: [id] }), 404),
    ).toBe('NOT_FOUND');
    const large = await Promise.all([1, 2, 3, 4].map((n) => upload(`${n}.bin`, Buffer.alloc(9 * 1024 * 1024, n))));
    expect(await codeOf(send(large.map((one) => one.id)), 413)).toBe('ATTACHMENT_TOO_LARGE');
    const { data } = (await owner.get(`/v1/sessions/${session.id}/turns`).expect(200)).body as { data: Turn[] };
    expect(data).toEqual([]);
    await accepted([id]);
    await settle();
  });

  it('are gone with their bytes when they are removed, fail, or are empty', async () => {
    const { id } = await upload('data.csv');
    expect(blobs()).toEqual([id]);
    await owner.delete(route(id)).expect(204);
    expect(await codeOf(owner.get(route(id)), 404)).toBe('NOT_FOUND');
    expect(await codeOf(post(owner, 'empty', ''), 415)).toBe('ATTACHMENT_UNSUPPORTED');
    expect(await codeOf(post(owner, 'zipped', 'x').set('content-encoding', 'gzip'), 415)).toBe(
      'ATTACHMENT_UNSUPPORTED',
    );
    expect(await codeOf(post(owner, 'large', Buffer.alloc(ATTACHMENT_LIMIT_BYTES + 1)), 413)).toBe(
      'ATTACHMENT_TOO_LARGE',
    );
    expect(await codeOf(post(viewer, 'data.csv', 'x'), 403)).toBe('FORBIDDEN');
    expect(blobs()).toEqual([]);
    // The name is free again.
    expect((await upload('data.csv')).name).toBe('data.csv');
  });

  it('leave nothing when the client goes away or sends more than it said', async () => {
    const sending = httpRequest(new URL(`${route()}?name=cut.bin`, api.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'transfer-encoding': 'chunked' },
    });
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(1_000_000));
    const rows = async () =>
      (await api.worker.database.pool.query('SELECT 1 FROM attachment WHERE session_id = $1', [session.id])).rowCount;
    await waitFor(async () => (await rows()) === 1, { what: 'the row is there before its bytes' });
    sending.destroy();
    await waitFor(async () => (await rows()) === 0, { what: 'the row is gone' });
    expect(blobs()).toEqual([]);
  });

  it('are cleaned up when they were never sent', async () => {
    const { pool } = api.worker.database;
    const [sent, old, recent, broken] = [
      await upload('sent'),
      await upload('old'),
      await upload('recent'),
      await upload('broken'),
    ];
    await accepted([sent.id]);
    await settle();
    await pool.query("UPDATE attachment SET created_at = now() - interval '8 days' WHERE id = ANY ($1)", [
      [sent.id, old.id],
    ]);
    await pool.query("UPDATE attachment SET ready_at = NULL, created_at = now() - interval '2 hours' WHERE id = $1", [
      broken.id,
    ]);
    const cleaner = new AttachmentCleaner(
      new AttachmentRepository(api.worker.database),
      createBlobStore(`file:${join(api.dataDir, 'blobs')}`),
      () => undefined,
    );
    cleaner.onModuleDestroy();
    expect([await cleaner.clean(), await cleaner.clean()]).toEqual([2, 0]);
    expect(blobs()).toEqual([sent.id, recent.id].sort());
    expect(await codeOf(owner.get(route(old.id)), 404)).toBe('NOT_FOUND');
    await download(owner, sent.id).expect(200);
  });
});
