import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimedTurn } from '@chirality/database';
import type { TurnPolicy } from '@chirality/domain';
import type { BlobStore, Logger } from '@chirality/platform';
import type { TurnSink } from '../harness/harness';
import type { HarnessOutput } from '../harness/harness-output';
import { Permissions } from '../permission/permissions';
import type { PushDescription } from '../proposal/push-description';
import type { PushProposals } from '../proposal/push-proposals';
import type { PermissionStore } from '../permission/permission-store';
import type { ToolCallLedger } from '../permission/tool-call-ledger';
import type { PreparedTurn } from '../prepare/prepared-turn';
import type { TurnPreparation } from '../prepare/turn-preparation';
import type { LiveProcess } from '../process/live-process';
import type { ProcessStarter } from '../process/process-starter';
import { TurnRecords } from '../record/turn-records';
import { TURN_LIMITS } from '../turn/turn-limits';
import type { TurnEnd } from '../turn/turn-settler';
import { TurnAttempts } from './turn-attempts';
import { TurnConclusion } from './turn-conclusion';
import { TurnExecution } from './turn-execution';
import { TurnServings } from './turn-servings';

const claimed = {
  id: 'turn_1',
  sessionId: 'sess_1',
  attempt: 1,
  fence: 7n,
  kind: 'message',
  options: { model: { value: 'sonnet' } },
  author: { userId: 'user_1', name: 'Ada' },
  session: { workspace: 'own' },
  project: { egress: { hosts: [], webSearch: false } },
  queuedAt: new Date(),
  startedAt: new Date(),
} as unknown as ClaimedTurn;
const LAUNCH = { program: 'claude', args: [], environment: [], promptHash: 'a' };
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
} as unknown as Logger;

interface Fakes {
  root: string;
  prepare: TurnPreparation['prepare'];
  acquire: ProcessStarter['acquire'];
  settle: (end: TurnEnd) => Promise<void>;
  /** What becomes of files and processes, in order. */
  acts?: string[];
  /** What is asked before a tool may run, in order. */
  asked?: string[];
}

function begin({ root, prepare, acquire, settle, acts = [], asked = [] }: Fakes): TurnExecution {
  const note = (act: string) => async () => void acts.push(act);
  const log = { ...silent, child: () => silent } as unknown as Logger;
  const eventLog = { append: async () => ({ appended: true as const, events: [] }) };
  const records = new TurnRecords('worker_1', eventLog, root, {} as BlobStore, log);
  const policies = {
    readInForce: async () => {
      asked.push('policy');
      return { strict: false, autoApprove: false, rules: [], authorMayAnswer: true };
    },
  };
  const ledger = { open: async () => asked.push('ledger') > 0 };
  const permissions = new Permissions(
    policies as never,
    {} as PermissionStore,
    ledger as unknown as ToolCallLedger,
    {} as PushDescription,
    {} as PushProposals,
    TURN_LIMITS,
  );
  const servings = new TurnServings(permissions, { add: async () => undefined }, TURN_LIMITS, true);
  const starter = { acquire, discard: note('discarded') };
  const files = {
    summariseChanges: async () => null,
    keep: () => void acts.push('kept'),
    release: () => void acts.push('released'),
    store: note('stored'),
  };
  const conclusion = new TurnConclusion(
    { settle: (_turn, end) => settle(end) },
    starter,
    { park: note('parked') },
    files,
    { look: async () => undefined },
  );
  const turn = records.open(claimed);
  const attempts = new TurnAttempts(turn, { prepare }, starter, servings, files);
  return new TurnExecution(turn, attempts, conclusion, records, () => undefined);
}

describe('a turn whose workspace is still being made', () => {
  let root: string;
  let settled: TurnEnd[];
  let acts: string[];
  let acquired: number;
  let made: (prepared: PreparedTurn) => void;
  let failed: (error: Error) => void;
  let execution: TurnExecution;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'turn-'));
    settled = [];
    acts = [];
    acquired = 0;
    execution = begin({
      root,
      acts,
      prepare: () =>
        new Promise((resolve, reject) => {
          made = resolve;
          failed = reject;
        }),
      acquire: async () => {
        acquired += 1;
        throw new Error('nothing must be started');
      },
      settle: async (end) => void settled.push(end),
    });
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
    expect(acts).toEqual(['released']);
    made({} as PreparedTurn);
    await jest.advanceTimersByTimeAsync(0);
    expect(acts).toEqual(['released', 'released']);
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
    disk: { workspace: '/w', config: '/c' },
    outputSchema: null,
    timeoutMs: null,
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
    const lease = { bind: () => undefined, unbind: async () => [] };
    const live = { process, lease } as unknown as LiveProcess;
    const run = begin({
      root,
      asked: order,
      prepare: async () => prepared(mayChange),
      acquire: async () => ({ live, origin: 'parked', launch: LAUNCH }),
      settle: async () => undefined,
    }).run();
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

describe('a turn whose end is not taken', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'turn-'))));
  afterEach(() => rmSync(root, { recursive: true }));

  it('leaves no process behind when its end cannot be stored', async () => {
    const acts: string[] = [];
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
    const lease = { bind: () => undefined, unbind: async () => [] };
    const live = { process, lease } as unknown as LiveProcess;
    const execution = begin({
      root,
      acts,
      prepare: async () => prepared(Promise.resolve()),
      acquire: async () => ({ live, origin: 'parked', launch: LAUNCH }),
      settle: () => Promise.reject(new Error('the log is closed')),
    });
    await expect(execution.run()).rejects.toThrow('the log is closed');
    expect(acts).toEqual(['kept', 'discarded', 'released']);
  });
});
