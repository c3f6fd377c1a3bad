import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimedTurn } from '@chirality/database';
import type { Logger } from '@chirality/platform';
import type { PreparedTurn } from './prepared-turn';
import { TurnExecution } from './turn-execution';
import type { Settlement, TurnServices } from './turn-services';

const claimed = { id: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 7n, kind: 'message', options: {}, queuedAt: new Date(), startedAt: new Date() } as ClaimedTurn;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as unknown as Logger;

describe('a turn whose workspace is still being made', () => {
  let root: string;
  let settled: Settlement[];
  let released: number;
  let acquired: number;
  let made: (prepared: PreparedTurn) => void;
  let failed: (error: Error) => void;
  let execution: TurnExecution;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'turn-'));
    settled = [];
    released = 0;
    acquired = 0;
    const services: Partial<TurnServices> = {
      log: { ...silent, child: () => silent } as unknown as Logger,
      rawLogRoot: root,
      append: async () => ({ appended: true, events: [] }),
      prepare: () =>
        new Promise((resolve, reject) => {
          made = resolve;
          failed = reject;
        }),
      acquire: async () => {
        acquired += 1;
        throw new Error('nothing must be started');
      },
      settle: async (settlement) => void settled.push(settlement),
      releaseState: () => void (released += 1),
    };
    execution = new TurnExecution(claimed, services as TurnServices, () => undefined);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
    rmSync(root, { recursive: true });
  });

  it('ends soon after it is interrupted, and lets go of what is finished later', async () => {
    const run = execution.run();
    execution.requestInterrupt();
    await jest.advanceTimersByTimeAsync(3_000);
    await run;
    expect(settled).toMatchObject([{ ending: { cause: 'interrupt', error: null }, last: null }]);
    expect(acquired).toBe(0);
    const before = released;
    made({} as PreparedTurn);
    await jest.advanceTimersByTimeAsync(0);
    expect(released).toBe(before + 1);
  });

  it('ends at once when what was being made fails after the interrupt, and calls it no failure', async () => {
    const run = execution.run();
    execution.requestInterrupt();
    failed(new Error('the clone was ended'));
    await run;
    expect(settled).toMatchObject([{ ending: { cause: 'interrupt', error: null } }]);
  });

  it('fails with words of ours when it cannot be made', async () => {
    const run = execution.run();
    failed(new Error('ENOSPC: inside of us'));
    await run;
    expect(settled).toMatchObject([{ ending: { cause: 'fail', error: { code: 'HARNESS_FAILURE' } } }]);
    expect(settled[0]?.ending.error?.detail).not.toContain('ENOSPC');
  });
});
