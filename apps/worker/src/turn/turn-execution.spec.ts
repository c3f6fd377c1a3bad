import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimedTurn } from '@chirality/database';
import type { TurnPolicy } from '@chirality/domain';
import type { Logger } from '@chirality/platform';
import type { TurnSink } from '../harness/harness';
import type { HarnessOutput } from '../harness/harness-output';
import type { LiveProcess } from '../process/live-process';
import type { PreparedTurn } from '../process/prepared-turn';
import { TurnExecution } from './turn-execution';
import type { Settlement, TurnServices } from './turn-services';
import { WATCHDOG_LIMITS } from '../outcome/turn-watchdog';

const claimed = {
  id: 'turn_1',
  sessionId: 'sess_1',
  attempt: 1,
  fence: 7n,
  kind: 'message',
  options: {},
  queuedAt: new Date(),
  startedAt: new Date(),
} as ClaimedTurn;
const LAUNCH = { program: 'claude', args: [], environment: [], promptHash: 'a' };
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
} as unknown as Logger;

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

const GATE: TurnPolicy = {
  mode: 'workbench',
  permissionMode: 'default',
  strict: false,
  autoApproveTools: [],
  ownApprovals: true,
};
const prepared = (mayChange: Promise<void>) =>
  ({
    message: 'x',
    account: { paidBy: 'demo', keyId: null },
    gate: GATE,
    keepPrompt: () => undefined,
    mayChange,
  }) as unknown as PreparedTurn;

describe('a turn whose copy is not marked on the disk yet', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'turn-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it.each([
    ['waits with its first tool until it is', true],
    ['runs none when it cannot be', false],
  ])('%s', async (_what, works) => {
    const order: string[] = [];
    let settle: (works: boolean) => void = () => undefined;
    const mayChange = new Promise<void>(
      (resolve, reject) => (settle = (ok) => (ok ? resolve() : reject(new Error('the disk is gone')))),
    );
    let tell: (sink: TurnSink) => void = () => undefined;
    const served = new Promise<TurnSink>((resolve) => (tell = resolve));
    let answered: () => void = () => undefined;
    const answer = new Promise<void>((resolve) => (answered = resolve));
    const say = (what: string) => () => {
      order.push(what);
      answered();
    };
    const process = {
      serve: (sink: TurnSink) => tell(sink),
      outcome: () => ({ outcome: 'completed', error: null, claudeSessionId: null }),
      exited: new Promise(() => undefined),
      say: () => order.push('message'),
      channel: { respond: say('answer'), respondError: say('blocked') },
      sandboxed: {},
    };
    const services: Partial<TurnServices> = {
      log: { ...silent, child: () => silent } as unknown as Logger,
      rawLogRoot: root,
      append: async () => ({ appended: true, events: [] }),
      prepare: async () => prepared(mayChange),
      acquire: async () => ({
        live: { process, lease: { unbind: async () => [] } } as unknown as LiveProcess,
        origin: 'parked' as const,
        launch: LAUNCH,
      }),
      bind: () => undefined,
      limits: () => WATCHDOG_LIMITS,
      mayPark: () => true,
      policyInForce: async () => {
        order.push('policy');
        return { strict: false, autoApprove: false, rules: [], authorMayAnswer: true };
      },
      writeLedger: async () => order.push('ledger') > 0,
      keepState: () => undefined,
      settle: async () => undefined,
      park: async () => undefined,
      storeState: async () => undefined,
    };
    const run = new TurnExecution(claimed, services as TurnServices, () => undefined).run();
    const sink = await served;
    const input = { tool_name: 'Write', tool_input: { file_path: '/workspace/a' }, tool_use_id: 'toolu_1' };
    sink.output({
      type: 'control-request',
      requestId: 'r1',
      request: { subtype: 'hook_callback', input },
    } as unknown as HarnessOutput);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['message']);
    settle(works);
    await answer;
    expect(order).toEqual(works ? ['message', 'policy', 'ledger', 'answer'] : ['message', 'blocked']);
    sink.output({
      type: 'result',
      result: { outcome: 'completed', queuedTurnCount: 0, text: '', degraded: false, error: null },
    } as unknown as HarnessOutput);
    await run;
  });
});

describe('a turn whose writes are not taken', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'turn-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('is still where it was after a change that was not stored', async () => {
    let stored = false;
    const append: TurnServices['append'] = () =>
      stored ? Promise.resolve({ appended: true, events: [] }) : Promise.reject(new Error('not storable'));
    const execution = new TurnExecution(
      claimed,
      { log: { ...silent, child: () => silent }, rawLogRoot: root, append } as unknown as TurnServices,
      () => undefined,
    );
    expect([await execution.change('spawned'), execution.status]).toEqual([false, 'starting']);
    stored = true;
    expect([await execution.change('spawned'), execution.status]).toEqual([true, 'running']);
    stored = false;
    expect([await execution.change('permission_asked'), execution.status, execution.isAtRest]).toEqual([
      false,
      'running',
      false,
    ]);
  });

  it('leaves no process behind when its end cannot be stored', async () => {
    const ended: string[] = [];
    const process = {
      serve: (sink: TurnSink) =>
        queueMicrotask(() => {
          sink.output({ type: 'init' } as HarnessOutput);
          sink.output({
            type: 'result',
            result: { outcome: 'completed', queuedTurnCount: 0, text: 'done', degraded: false, error: null },
          } as unknown as HarnessOutput);
        }),
      outcome: () => ({ outcome: 'completed', error: null, claudeSessionId: null }),
      exited: new Promise(() => undefined),
      say: () => undefined,
      channel: {},
      sandboxed: {},
    };
    const live = { process, lease: { unbind: async () => [] } } as unknown as LiveProcess;
    const services: Partial<TurnServices> = {
      log: { ...silent, child: () => silent } as unknown as Logger,
      rawLogRoot: root,
      append: async () => ({ appended: true, events: [] }),
      prepare: async () => prepared(Promise.resolve()),
      acquire: async () => ({ live, origin: 'parked' as const, launch: LAUNCH }),
      bind: () => undefined,
      limits: () => WATCHDOG_LIMITS,
      mayPark: () => true,
      keepState: () => void ended.push('kept'),
      settle: () => Promise.reject(new Error('the log is closed')),
      discard: async () => void ended.push('discarded'),
      releaseState: () => void ended.push('released'),
    };
    const execution = new TurnExecution(claimed, services as TurnServices, () => undefined);
    await expect(execution.run()).rejects.toThrow('the log is closed');
    expect(ended).toEqual(['kept', 'discarded', 'released']);
  });
});
