import type { SessionMeta } from './session-meta';
import { decideState } from './state-decision';
import type { StatePointer } from './state-pointers';

const key = (fence: number) => `sessions/sess_1/${fence}/0a1b2c/state.json`;
const pointer = (version: number, storedFence: number | null, lastRunFence: number | null): StatePointer => ({
  version,
  key: storedFence === null ? null : key(storedFence),
  holderWorkerId: 'worker_1',
  lastRunFence: lastRunFence === null ? null : BigInt(lastRunFence),
});
const copy = (condition: SessionMeta['condition'], stateVersion: number, fence: number | null): SessionMeta => ({
  format: 1,
  sessionId: 'sess_1',
  projectId: 'proj_1',
  workspace: 'own',
  sharedWorkspaceId: null,
  condition,
  stateVersion,
  fence: fence === null ? null : String(fence),
  attempt: 1,
  workspaceChanged: false,
  claudeSessionId: null,
  turnTree: 'tree',
});

describe('what a session continues with', () => {
  it.each<[string, SessionMeta | null, StatePointer, ReturnType<typeof decideState>]>([
    ['a new session is created', null, pointer(0, null, null), { act: 'create', lost: false }],
    [
      'a session opened before its first turn is used',
      copy('clean', 0, null),
      pointer(0, null, null),
      { act: 'use', lost: false },
    ],
    ['a clean copy of the stored version is used', copy('clean', 3, 7), pointer(3, 7, 7), { act: 'use', lost: false }],
    ['an old copy is replaced', copy('clean', 2, 6), pointer(3, 7, 7), { act: 'restore', lost: false }],
    ['an empty disk restores', null, pointer(3, 7, 7), { act: 'restore', lost: false }],
    [
      'what a dead attempt left on this disk is salvaged',
      copy('dirty', 3, 8),
      pointer(3, 7, 8),
      { act: 'salvage', lost: false },
    ],
    [
      'the very first attempt is salvaged too',
      copy('dirty', 0, 1),
      pointer(0, null, 1),
      { act: 'salvage', lost: false },
    ],
    [
      'an attempt that died before its start was recorded is salvaged',
      copy('dirty', 3, 8),
      pointer(3, 7, 7),
      { act: 'salvage', lost: false },
    ],
    ['what could not be stored is used', copy('unstored', 3, 8), pointer(3, 7, 8), { act: 'use', lost: false }],
    [
      'what was stored just before the crash is used',
      copy('unstored', 3, 8),
      pointer(4, 8, 8),
      { act: 'use', lost: false },
    ],
    ['a holder that is gone took its work along: empty disk', null, pointer(3, 7, 8), { act: 'restore', lost: true }],
    [
      'a holder that is gone took its work along: nothing stored',
      null,
      pointer(0, null, 1),
      { act: 'create', lost: true },
    ],
    [
      'a holder that is gone took its work along: clean copy here',
      copy('clean', 3, 7),
      pointer(3, 7, 8),
      { act: 'use', lost: true },
    ],
    [
      'our unstored work was declared lost and built upon elsewhere',
      copy('unstored', 3, 8),
      pointer(4, 9, 9),
      { act: 'restore', lost: false },
    ],
    [
      'our unstored work was declared lost, and then the other worker was lost as well',
      copy('unstored', 3, 8),
      pointer(3, 7, 9),
      { act: 'restore', lost: true },
    ],
    [
      'a dirty copy of an old version is not salvaged',
      copy('dirty', 2, 6),
      pointer(4, 9, 9),
      { act: 'restore', lost: false },
    ],
    [
      'a dirty copy is not taken for the stored one',
      copy('dirty', 3, 8),
      pointer(4, 8, 8),
      { act: 'restore', lost: false },
    ],
    ['a stale copy is thrown away', copy('stale', 3, 7), pointer(3, 7, 7), { act: 'restore', lost: false }],
    [
      'a copy from before the database was set back is thrown away',
      copy('clean', 9, 20),
      pointer(3, 7, 7),
      { act: 'restore', lost: false },
    ],
    [
      'a commit after the last turn loses nothing',
      copy('clean', 3, 7),
      pointer(4, 7, 7),
      { act: 'restore', lost: false },
    ],
  ])('%s', (_what, here, stored, expected) => {
    expect(decideState(here, stored)).toEqual(expected);
  });
});
