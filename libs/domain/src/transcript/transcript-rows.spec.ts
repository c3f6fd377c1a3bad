import { changedFilesOf } from './changed-files';
import { EventScript, USAGE } from './event-script';
import { foldEvents } from './fold-events';
import { openPermissionsOf } from './open-permissions';
import { transcriptRows } from './transcript-rows';
import { emptyTranscript } from './transcript-state';
import { activityOf } from './turn-activity';

function fold(script: EventScript) {
  return foldEvents(emptyTranscript(), script.events);
}

function outline(script: EventScript): string[] {
  return transcriptRows(fold(script)).map((row) => (row.kind === 'item' ? row.item.type : row.kind));
}

describe('the rows of a transcript', () => {
  it('nests what sub-agents say under the tool that began them', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', { toolUseId: 'a', name: 'Task', input: {}, mutating: false })
      .add('tool:start', { toolUseId: 'b', name: 'Task', input: {}, mutating: false })
      .add('chat:complete', { messageId: 'ma', block: 0, text: 'in a', parentToolUseId: 'a' })
      .add('chat:complete', { messageId: 'mb', block: 0, text: 'in b', parentToolUseId: 'b' })
      .add('tool:start', { toolUseId: 'c', name: 'Read', input: {}, mutating: false, parentToolUseId: 'a' })
      .add('chat:complete', { messageId: 'm', block: 0, text: 'outer' })
      .end();
    const rows = transcriptRows(fold(script));
    expect(rows.map((row) => (row.kind === 'item' ? row.item.type : row.kind))).toEqual([
      'message',
      'tool',
      'tool',
      'text',
      'turn-end',
    ]);
    const children = rows.map((row) => (row.kind === 'item' ? row.children.map((child) => child.item.type) : []));
    expect(children).toEqual([[], ['text', 'tool'], ['text'], [], []]);
  });

  it('shows an answer by a schema instead of its text and the tool that handed it over', () => {
    const schema = { type: 'object' };
    const script = new EventScript()
      .resume('turn_1')
      .add('turn:queued', { turnKind: 'message', message: 'Go', outputSchema: schema, position: 1 })
      .add('tool:start', { toolUseId: 'a', name: 'StructuredOutput', input: { legs: 4 }, mutating: false })
      .add('tool:result', { toolUseId: 'a', content: 'ok', isError: false, durationMs: 1 });
    expect(outline(script)).toEqual(['message', 'tool', 'activity']);
    script
      .add('session:complete', {
        text: '{"legs":4}',
        degraded: false,
        structured: { legs: 4 },
        costUsd: '0',
        usage: USAGE,
      })
      .end();
    expect(outline(script)).toEqual(['message', 'structured', 'turn-end']);
    expect(fold(script).turns[0]).toMatchObject({ outputSchema: schema, structured: { legs: 4 } });
  });

  it('shows a permission on its tool, and separately when the tool is not there', () => {
    const ask = { kind: 'tool', tool: 'Bash', input: {}, reason: '', pattern: null };
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', { toolUseId: 'a', name: 'Bash', input: {}, mutating: true })
      .add('permission:request', { permissionId: 'p', toolUseId: 'a', ...ask })
      .add('permission:request', { permissionId: 'q', toolUseId: 'elsewhere', ...ask });
    const rows = transcriptRows(fold(script));
    expect(rows.map((row) => (row.kind === 'item' ? row.item.type : row.kind))).toEqual([
      'message',
      'tool',
      'permission',
      'activity',
    ]);
    expect(rows[1]).toMatchObject({ permission: { permissionId: 'p' } });
    expect(openPermissionsOf(fold(script)).map((item) => item.permissionId)).toEqual(['p', 'q']);
  });

  it('shows a question in the place of the tool that put it, with the answer', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', { toolUseId: 'a', name: 'AskUserQuestion', input: {}, mutating: false })
      .add('permission:request', {
        permissionId: 'p',
        kind: 'question',
        toolUseId: 'a',
        tool: 'AskUserQuestion',
        input: {},
        reason: '',
        pattern: null,
      })
      .add('tool:result', { toolUseId: 'a', content: 'B', isError: false, durationMs: 1 });
    expect(transcriptRows(fold(script))).toMatchObject([
      { kind: 'message' },
      { item: { type: 'permission' }, tool: { content: 'B' } },
      { kind: 'activity' },
    ]);
  });

  it('shows the text of the result when none was streamed', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('session:complete', { text: 'The answer', degraded: true, costUsd: '0', usage: USAGE })
      .end();
    expect(outline(script)).toEqual(['message', 'result-text', 'turn-end']);
  });

  it('says an error once', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('session:error', { code: 'RESUME_FAILED', detail: 'Started afresh.', retryable: false })
      .add('session:error', { code: 'NO_RESULT', detail: 'No result.', retryable: false })
      .end('failed', { error: { code: 'NO_RESULT', detail: 'No result.' } });
    expect(outline(script)).toEqual(['message', 'error', 'turn-end']);
  });

  it('keeps the rows of turns that did not change', () => {
    const script = new EventScript().queue('turn_1', 'One').end().queue('turn_2', 'Two');
    const before = fold(script);
    const after = foldEvents(before, script.start().events);
    expect(transcriptRows(after)[0]).toBe(transcriptRows(before)[0]);
  });

  it('counts the files and lines that a turn changed, but not those of failed tools', () => {
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines: ['-a', '+b', '+c'] };
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', {
        toolUseId: 'a',
        name: 'Edit',
        input: { file_path: 'a.ts', old_string: 'a', new_string: 'b\nc' },
        mutating: true,
      })
      .add('tool:result', { toolUseId: 'a', content: 'ok', isError: false, durationMs: 1, patch: [hunk] })
      .add('tool:start', {
        toolUseId: 'b',
        name: 'Write',
        input: { file_path: 'b.ts', content: 'x\n' },
        mutating: true,
      })
      .add('tool:result', { toolUseId: 'b', content: 'ok', isError: false, durationMs: 1 })
      .add('tool:start', {
        toolUseId: 'c',
        name: 'Edit',
        input: { file_path: 'c.ts', old_string: '', new_string: 'x' },
        mutating: true,
      })
      .add('tool:result', { toolUseId: 'c', content: 'no', isError: true, durationMs: 1 })
      .end();
    expect(changedFilesOf(fold(script).turns[0]!)).toEqual({ paths: ['a.ts', 'b.ts'], additions: 3, deletions: 1 });
  });
});

describe('what a worker found changed', () => {
  const found = {
    code: 'FILES_CHANGED',
    text: '2 files changed',
    files: [{ path: 'a.ts' }, { path: 'b.ts' }],
    additions: 3,
    deletions: 1,
  };

  it('is the line at the end of a turn that went well', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('turn:notice', { level: 'info', ...found })
      .end();
    expect(outline(script)).toEqual(['message', 'turn-end']);
    expect(changedFilesOf(fold(script).turns[0]!)).toEqual({ paths: ['a.ts', 'b.ts'], additions: 3, deletions: 1 });
  });

  it('is said, with the diff, after a turn that was cut off', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('turn:notice', { level: 'warning', patch: '--- a/a.ts', ...found })
      .end('interrupted');
    expect(transcriptRows(fold(script))[1]).toMatchObject({
      item: { type: 'notice', text: '2 files changed', patch: '--- a/a.ts' },
    });
  });
});

describe('the tools of a list of tasks', () => {
  it('are not shown beside the list, unless they fail', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', { toolUseId: 'a', name: 'TaskCreate', input: {}, mutating: true })
      .add('tool:result', { toolUseId: 'a', content: 'ok', isError: false, durationMs: 1 })
      .add('todo:update', { items: [{ id: '1', text: 'Do', status: 'pending' }] })
      .add('tool:start', { toolUseId: 'b', name: 'TaskUpdate', input: {}, mutating: true })
      .add('tool:result', { toolUseId: 'b', content: 'no', isError: true, durationMs: 1 })
      .end();
    expect(outline(script)).toEqual(['message', 'todo', 'tool', 'turn-end']);
  });
});

describe('the activity of a turn', () => {
  const doing = (script: EventScript) => activityOf(fold(script).turns[0]!)?.doing ?? null;

  it('follows the turn from the queue to its end', () => {
    const script = new EventScript().queue('turn_1', 'Go');
    expect(doing(script)).toBe('queued');
    expect(doing(script.start())).toBe('starting');
    expect(doing(script.add('session:init', { claudeSessionId: 's', model: 'm', tools: [] }))).toBe(
      'waiting-for-model',
    );
    expect(
      doing(script.add('turn:retry', { attempt: 1, maxRetries: 3, delayMs: 10, status: 529, error: 'busy' })),
    ).toBe('retrying');
    expect(doing(script.add('thinking:delta', { messageId: 'm', block: 0, text: 'hm' }))).toBe('thinking');
    expect(doing(script.add('thinking:complete', { messageId: 'm', block: 0, text: 'hm' }))).toBe('waiting-for-model');
    expect(doing(script.add('chat:delta', { messageId: 'm', block: 1, text: 'I' }))).toBe('answering');
    expect(doing(script.add('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true }))).toBe(
      'using-tools',
    );
    const ask = { permissionId: 'p', kind: 'tool', toolUseId: 't', tool: 'Bash', input: {}, reason: '', pattern: null };
    expect(doing(script.add('permission:request', ask))).toBe('waiting-for-person');
    expect(doing(script.add('permission:resolve', { permissionId: 'p', outcome: 'allowed' }))).toBe('using-tools');
    expect(doing(script.add('session:complete', { text: '', degraded: false, costUsd: '0', usage: USAGE }))).toBe(
      'finishing',
    );
    expect(doing(script.end())).toBeNull();
  });
});
