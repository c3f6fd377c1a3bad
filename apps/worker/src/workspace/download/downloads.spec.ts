import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createBlobStore, newRelayId } from '@chirality/platform';
import { waitFor } from '@chirality/testing';
import type { ActContext } from '../act/act-context';
import { Downloads } from './downloads';

it('leaves places for others where one person downloads from many sessions', async () => {
  const root = mkdtempSync(join(tmpdir(), 'chi-'));
  const outputs: Readable[] = [];
  const collect = (_script: unknown, use: (output: Readable) => Promise<void>) => {
    const output = new Readable({ read: () => undefined });
    output.push('9\nx');
    outputs.push(output);
    return use(output);
  };
  const context = { scripts: { collect }, workspace: {}, timeoutMs: 60_000 } as unknown as ActContext;
  const downloads = new Downloads(createBlobStore(`file:${root}`), { warn: () => undefined });
  const open = (userId: string, sessionId: string) =>
    downloads.open(context, { userId, sessionId, relay: newRelayId(), wanted: { form: 'file', path: 'a' } });
  const opened = { act: 'open-download', bytes: 9 };
  try {
    for (const session of ['a', 'b', 'c']) expect(await open('ada', session)).toEqual(opened);
    await expect(open('ada', 'd')).rejects.toMatchObject({ code: 'WORKSPACE_UNAVAILABLE' });
    expect(await open('ben', 'd')).toEqual(opened);
  } finally {
    await downloads.close();
    for (const output of outputs) output.destroy();
    rmSync(root, { recursive: true, force: true });
  }
});

it('ends what is taken too slowly, and its place is free for others', async () => {
  const root = mkdtempSync(join(tmpdir(), 'chi-'));
  const output = new Readable({ read: () => undefined });
  const collect = (_script: unknown, use: (content: Readable) => Promise<void>) => {
    output.push('9\nx');
    return use(output);
  };
  const context = { scripts: { collect }, workspace: {}, timeoutMs: 60_000 } as unknown as ActContext;
  const ended: unknown[] = [];
  const log = { warn: (fields: object) => void ended.push(fields) };
  const downloads = new Downloads(createBlobStore(`file:${root}`), log, { running: 1, paceMs: 20, paceBytes: 100 });
  const open = () =>
    downloads.open(context, {
      userId: 'ada',
      sessionId: 'a',
      relay: newRelayId(),
      wanted: { form: 'file', path: 'a' },
    });
  try {
    await open();
    await waitFor(async () => ended.length === 1, { what: 'the slow download is ended' });
    expect(ended).toMatchObject([{ err: { message: expect.stringContaining('fewer than 100 bytes') } }]);
    expect(await open()).toMatchObject({ act: 'open-download' });
  } finally {
    await downloads.close();
    output.destroy();
    rmSync(root, { recursive: true, force: true });
  }
});
