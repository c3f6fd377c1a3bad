import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimedTurn } from '@chirality/database';
import { variableMasks } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { Sandbox } from '../sandbox/sandbox';
import type { PreparedTurn } from './prepared-turn';
import type { TurnRecorder } from '../record/turn-recorder';
import { ProjectSetup } from './project-setup';

describe('a set-up script', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'setup-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('shows no half of a secret where more was said than is kept', async () => {
    const value = 'correct-horse-battery-staple-0123456789';
    const said: unknown[] = [];
    const recorder = {
      masks: variableMasks([value]),
      record: (_kind: string, payload: unknown) => said.push(payload),
    } as unknown as TurnRecorder;
    const run = async () => ({
      code: 1,
      signal: null,
      stdout: Buffer.from(`installing\n${value.slice(0, 30)}`),
      stderr: Buffer.alloc(0),
      truncated: true,
      timedOut: false,
    });
    const setup = new ProjectSetup(
      { run, kind: 'none' } as unknown as Sandbox,
      {} as never,
      async () => undefined,
      60_000,
      { info: () => undefined } as unknown as Logger,
    );
    const claimed = {
      kind: 'message',
      sessionId: 'sess_1',
      project: { id: 'proj_1', setupScript: 'true' },
      author: { userId: 'user_1' },
    } as ClaimedTurn;
    const prepared = {
      disk: { workspace: join(root, 'workspace'), tmp: join(root, 'tmp') },
      network: { hosts: [] },
      variables: null,
      mayChange: Promise.resolve(),
    } as unknown as PreparedTurn;
    const failure = await setup
      .run(claimed, prepared, recorder, new AbortController().signal)
      .catch((error: Error) => error);
    expect(said.at(-1)).toMatchObject({ code: 'SETUP_FAILED', output: 'installing\n' });
    expect(String(failure)).not.toContain('correct');
  });

  it('does not begin before it is on the disk that files may change', async () => {
    const run = jest.fn();
    const setup = new ProjectSetup(
      { run, kind: 'none' } as unknown as Sandbox,
      {} as never,
      async () => undefined,
      60_000,
      { info: () => undefined } as unknown as Logger,
    );
    const claimed = {
      kind: 'message',
      sessionId: 'sess_1',
      project: { id: 'proj_1', setupScript: 'true' },
      author: { userId: 'user_1' },
    } as ClaimedTurn;
    const mayChange = Promise.reject(new Error('the disk is gone'));
    const prepared = {
      disk: { workspace: join(root, 'workspace'), tmp: join(root, 'tmp') },
      network: { hosts: [] },
      variables: null,
      mayChange,
    } as unknown as PreparedTurn;
    const recorder = { record: () => undefined } as unknown as TurnRecorder;
    await expect(setup.run(claimed, prepared, recorder, new AbortController().signal)).rejects.toThrow(
      'the disk is gone',
    );
    expect(run).not.toHaveBeenCalled();
  });
});
