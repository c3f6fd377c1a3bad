import { emptyTranscript, foldEvents, type TranscriptState, type WireEnvelope } from '@chirality/domain';
import { workspaceRevision } from './workspace-revision';

let state: TranscriptState;
const add = (kind: string, turn: string | null, payload: WireEnvelope['payload'] = {}) => {
  state = foldEvents(state, [
    { id: state.lastEventId + 1, kind, turn, originator: { system: true }, ts: '2026-01-01T00:00:00.000Z', payload },
  ]);
};
const tool = (turn: string, name: string) => {
  const toolUseId = `t${state.lastEventId}`;
  add('tool:start', turn, { toolUseId, name, input: {}, mutating: true });
  add('tool:result', turn, { toolUseId, content: '', isError: false, durationMs: 1 });
};

/** Whether what was shown before `act` is stale after it. */
function makesStale(act: () => void): boolean {
  const before = workspaceRevision(state);
  act();
  return workspaceRevision(state) !== before;
}

describe('the revision of a workspace', () => {
  beforeEach(() => {
    state = emptyTranscript();
    add('turn:queued', 'turn_1', { turnKind: 'message', message: 'One' });
    tool('turn_1', 'Edit');
    add('turn:end', 'turn_1', { status: 'completed' });
  });

  it('differs after each tool that may have changed files, and at the end of a turn', () => {
    expect(makesStale(() => add('turn:queued', 'turn_2', { turnKind: 'message', message: 'Two' }))).toBe(false);
    expect(makesStale(() => tool('turn_2', 'Read'))).toBe(false);
    expect(makesStale(() => tool('turn_2', 'Bash'))).toBe(true);
    expect(makesStale(() => tool('turn_2', 'Edit'))).toBe(true);
    add('budget:notice', null, { percent: 80, spentUsd: '8', limitUsd: '10' });
    expect(makesStale(() => tool('turn_2', 'Edit'))).toBe(true);
    expect(makesStale(() => add('turn:end', 'turn_2', { status: 'completed' }))).toBe(true);
  });

  it('does not differ when earlier turns are loaded', () => {
    add('turn:queued', 'turn_2', { turnKind: 'message', message: 'Two' });
    tool('turn_2', 'Edit');
    expect(workspaceRevision({ turns: state.turns.slice(1) })).toBe(workspaceRevision(state));
  });
});
