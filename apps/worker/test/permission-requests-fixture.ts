import { PassThrough } from 'node:stream';
import type { AnsweredPermission } from '@chirality/database';
import type { ProposedPush, variableMasks } from '@chirality/domain';
import { ControlChannel } from '../src/harness/claude-code/control-channel';
import { PermissionRequests } from '../src/permission/permission-requests';
import type { NewPermission, PermissionStore } from '../src/permission/permission-store';
import type { ToolGate } from '../src/permission/tool-gate';
import type { ActiveTurn } from '../src/record/active-turn';

type Fakes = {
  isOver?: boolean;
  patterns?: string[];
  asker?: { agent: { type: string; task: string } | null; parentToolUseId: string | null };
  masks?: ReturnType<typeof variableMasks>;
  judge?: ToolGate['judge'];
  markAllowed?: (toolUseId: string) => Promise<boolean>;
  identityClass?: 'human' | 'agent';
  unattendedMs?: number;
  push?: ProposedPush;
  pushes?: ConstructorParameters<typeof PermissionRequests>[6];
};

/** The permission requests of a turn, with a store that holds its rows here. Ended by `closeRequests`. */
export function setUpRequests(fakes: Fakes = {}) {
  const stdin = new PassThrough();
  const opened: NewPermission[] = [];
  const rows = new Map<string, AnsweredPermission>();
  const causes: unknown[] = [];
  const ended: [string[], string][] = [];
  const reasons: (string | undefined)[] = [];
  const state = {
    status: 'running',
    attempt: { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 1n },
    change: async (cause: string | null, _events: unknown, also?: (tx: never) => Promise<void>) => {
      if (fakes.isOver) return false;
      await also?.(undefined as never);
      causes.push(cause);
      if (cause !== null) state.status = cause === 'permission_asked' ? 'awaiting_permission' : 'running';
      return true;
    },
  };
  const turn = {
    claimed: { sessionId: 'sess_1', author: { identityClass: fakes.identityClass ?? 'human' } },
    recorder: { masks: fakes.masks },
    state,
    log: { warn: () => undefined },
  } as unknown as ActiveTurn;
  const store = {
    insert: async (_tx: unknown, _attempt: unknown, permission: NewPermission) => {
      opened.push(permission);
      rows.set(permission.id, {
        id: permission.id,
        outcome: null,
        by: { userId: 'user_1', name: 'Ada' },
        resolvedReason: null,
        answer: null,
      });
    },
    readAnswers: async (ids: string[]) => ids.flatMap((id) => rows.get(id) ?? []),
    countAnswerers: async () => 1,
    end: async (_attempt: unknown, ids: string[], { outcome, reason }: { outcome: string; reason?: string }) => {
      ended.push([ids, outcome]);
      reasons.push(reason);
    },
    moveDeadlines: async () => undefined,
  } as unknown as PermissionStore;
  const requests = new PermissionRequests(
    new ControlChannel(stdin),
    turn,
    {
      judge:
        fakes.judge ??
        (async (_id, _tool, input) =>
          input['command'] === 'cat secret' ? { refused: 'a rule refuses it' } : { input }),
      reconsider: async () => null,
      noteAllowed: () => undefined,
      decisionFor: () => ({
        ...{ decision: 'ask', reason: 'because', pattern: null, patterns: fakes.patterns ?? [] },
        ...(fakes.push ? { push: fakes.push } : {}),
      }),
      agentTypeOf: () => null,
    },
    { askerOf: () => fakes.asker ?? { agent: null, parentToolUseId: null } },
    store,
    { markAllowed: async (_attempt, toolUseId) => fakes.markAllowed?.(toolUseId) ?? true },
    fakes.pushes ?? {
      describe: async () => ({ refused: '' }),
      carryOut: () => Promise.reject(new Error('never')),
      ended: async () => {},
    },
    { waitMs: 3_600_000, unattendedMs: fakes.unattendedMs ?? 60_000 },
  );
  created.push(requests);
  const said = () =>
    String(stdin.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map(
        (line) =>
          (
            JSON.parse(line) as {
              response: { request_id: string; subtype: string; response?: Record<string, unknown> };
            }
          ).response,
      );
  const answer = (index: number, change: Partial<AnsweredPermission>) => {
    const id = opened[index]?.id as string;
    rows.set(id, { ...(rows.get(id) as AnsweredPermission), ...change });
  };
  return { requests, opened, said, answer, causes, ended, reasons };
}

/** What the program asks. */
export const request = (toolUseId: string, tool = 'Bash') => ({
  tool_name: tool,
  tool_use_id: toolUseId,
  input: { command: 'make' },
});

const created: PermissionRequests[] = [];

export const closeRequests = () => Promise.all(created.splice(0).map((requests) => requests.close('run_ended')));
