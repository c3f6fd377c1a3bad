import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { UPLOAD_LIMIT_BYTES, type Project } from '@chirality/contracts';
import { waitFor } from '@chirality/testing';
import type { ApiClient } from './api-client';
import { ApiHarness } from './api-harness';

jest.setTimeout(120_000);

describe('uploading the files of a project', () => {
  let api: ApiHarness;
  let owner: ApiClient;
  let project: Project;

  beforeAll(async () => {
    api = await ApiHarness.start();
    owner = await api.client.login();
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    project = (await owner.post('/v1/projects', { name: 'Uploaded', source: { kind: 'upload' } }).expect(201))
      .body as Project;
  });

  const path = () => `/v1/projects/${project.id}/upload`;
  const put = (body: Buffer, headers: Record<string, string> = {}) =>
    owner
      .send('put', path())
      .set({ 'content-type': 'application/gzip', ...headers })
      .send(body);
  const kept = () => {
    try {
      return readdirSync(join(api.dataDir, 'blobs', 'projects', project.id));
    } catch {
      return [];
    }
  };
  /** Begins an upload by hand: the length that it names and what it sends of it need not agree. */
  const begin = (length: number) => {
    const sending = httpRequest(new URL(path(), api.url), {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/gzip', 'content-length': length },
    });
    sending.on('error', () => undefined);
    return sending;
  };

  it('is waited for, is kept as it comes, and is taken once', async () => {
    expect(project.sourceState).toMatchObject({ status: 'awaiting_upload', progress: null, error: null });
    expect((await owner.post('/v1/sessions', { projectId: project.id }).expect(409)).body).toMatchObject({
      code: 'PROJECT_NOT_READY',
      detail: expect.stringContaining('Nothing has been uploaded') as string,
    });
    expect((await put(Buffer.alloc(3_000_000, 7)).expect(202)).body).toMatchObject({
      id: project.id,
      sourceState: { status: 'waiting' },
    });
    expect(kept()).toHaveLength(1);
    expect((await put(Buffer.from('again')).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    expect(kept()).toHaveLength(1);
  });

  it('is refused where the files come from elsewhere, and as JSON', async () => {
    expect((await owner.put(path(), { archive: 'x' }).expect(400)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await put(Buffer.from('x'), { 'content-encoding': 'gzip' }).expect(400)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    project = await owner.createProject();
    expect((await put(Buffer.from('x')).expect(409)).body).toMatchObject({ code: 'CONFLICT' });
    expect(kept()).toEqual([]);
  });

  it('is refused before it is read when it is too large', async () => {
    const sending = begin(UPLOAD_LIMIT_BYTES + 1);
    const status = new Promise<number | undefined>((resolve) =>
      sending.once('response', ({ statusCode }) => resolve(statusCode)),
    );
    sending.flushHeaders();
    expect(await status).toBe(413);
    sending.destroy();
    expect(kept()).toEqual([]);
  });

  it('counts for nothing when it is cut short, and can be sent again', async () => {
    const sending = begin(1_000_000);
    sending.write(Buffer.alloc(100_000));
    const begun = async () =>
      (
        await api.worker.database.pool.query<{ source_upload_key: string | null }>(
          'SELECT source_upload_key FROM project WHERE id = $1',
          [project.id],
        )
      ).rows[0]?.source_upload_key ?? null;
    await waitFor(async () => (await begun()) !== null, { what: 'the upload has begun' });
    const first = await begun();
    sending.destroy();
    await waitFor(
      async () => api.logLines.some((line) => line.includes(path()) && line.includes('request.cut_by_client')),
      { what: 'the api has seen its end' },
    );
    await waitFor(() => readdirSync(join(api.dataDir, 'blobs', '.incoming')).length === 0 && kept().length === 0, {
      what: 'nothing is left of it',
    });
    expect(((await owner.get(`/v1/projects/${project.id}`).expect(200)).body as Project).sourceState.status).toBe(
      'awaiting_upload',
    );
    await put(Buffer.from('whole')).expect(202);
    expect(await begun()).not.toBe(first);
    expect(kept()).toHaveLength(1);
  });

  it('of two at once one is accepted, and the other one is refused and leaves nothing', async () => {
    const answers = await Promise.all([put(Buffer.alloc(1_000_000, 1)), put(Buffer.alloc(1_000_000, 2))]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(kept()).toHaveLength(1);
  });
});
