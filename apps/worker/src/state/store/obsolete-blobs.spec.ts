import { obsoleteBlobs, type StoredState } from './obsolete-blobs';

const stored = (fence: number, version: number, workspace: string | null): StoredState => ({
  key: `sessions/s/${fence}/a${version}/state.json`,
  manifest: {
    format: 1,
    sessionId: 's',
    version,
    branch: 'b',
    baseCommit: 'c',
    claudeSessionId: 'x',
    transcript: `sessions/s/${fence}/a${version}/transcript.tar.gz`,
    workspace,
    workspaceIsOlder: false,
    previous: null,
  },
});
const workspaceOf = (fence: number, version: number) => `sessions/s/${fence}/a${version}/workspace.tar.gz`;

describe('what is deleted of an old state', () => {
  it('is everything of its attempt when nothing of it is needed', () => {
    const kept = [stored(5, 3, workspaceOf(5, 3)), stored(4, 2, workspaceOf(4, 2))];
    expect(obsoleteBlobs(stored(3, 1, workspaceOf(3, 1)), kept)).toEqual(['sessions/s/3']);
  });

  it('spares a workspace that newer states still name', () => {
    const kept = [stored(5, 3, workspaceOf(3, 1)), stored(4, 2, workspaceOf(3, 1))];
    expect(obsoleteBlobs(stored(3, 1, workspaceOf(3, 1)), kept)).toEqual([
      'sessions/s/3/a1/transcript.tar.gz',
      'sessions/s/3/a1/state.json',
    ]);
  });

  it('includes a workspace of an earlier attempt that is no longer named', () => {
    const kept = [stored(5, 4, workspaceOf(5, 4)), stored(4, 3, workspaceOf(4, 3))];
    expect(obsoleteBlobs(stored(3, 2, workspaceOf(2, 1)), kept)).toEqual([workspaceOf(2, 1), 'sessions/s/3']);
  });

  it('spares a later state of the same attempt, and takes 3 for no part of 33', () => {
    const kept = [stored(3, 2, null), stored(33, 9, null)];
    expect(obsoleteBlobs(stored(3, 1, null), kept)).toEqual([
      'sessions/s/3/a1/transcript.tar.gz',
      'sessions/s/3/a1/state.json',
    ]);
  });
});
