import fc from 'fast-check';
import { EventScript, USAGE } from './event-script';
import { foldEvents } from './fold-events';
import { emptyTranscript, type TranscriptItem } from './transcript-state';
import type { WireEnvelope } from './transcript-draft';

function fold(events: readonly WireEnvelope[]) {
  return foldEvents(emptyTranscript(), events);
}

function itemsOf(events: readonly WireEnvelope[]): TranscriptItem[] {
  return fold(events).turns.flatMap((turn) => turn.items);
}

/** One turn that shows every kind of thing. */
function wholeSession(): EventScript {
  return new EventScript()
    .queue('turn_1', 'Add a test')
    .start()
    .add('session:init', {
      claudeSessionId: 's1',
      model: 'm',
      tools: ['Read'],
      cwd: '/w',
      permissionMode: 'default',
      claudeCodeVersion: '2',
    })
    .add('thinking:delta', { messageId: 'm1', block: 0, text: 'Let me ' })
    .add('thinking:delta', { messageId: 'm1', block: 0, text: 'look' })
    .add('thinking:complete', { messageId: 'm1', block: 0, text: 'Let me look' })
    .add('chat:delta', { messageId: 'm1', block: 1, text: 'I ' })
    .add('chat:delta', { messageId: 'm1', block: 1, text: 'will' })
    .add('chat:complete', { messageId: 'm1', block: 1, text: 'I will' })
    .add('tool:progress', { toolUseId: 't1', partialInput: '{"com' })
    .add('tool:start', { toolUseId: 't1', name: 'Bash', input: { command: 'ls' }, mutating: true })
    .add('permission:request', {
      permissionId: 'p1',
      kind: 'tool',
      toolUseId: 't1',
      tool: 'Bash',
      input: { command: 'ls' },
      reason: 'runs',
      pattern: 'Bash(ls *)',
    })
    .add('permission:resolve', {
      permissionId: 'p1',
      outcome: 'allowed',
      scope: 'once',
      by: { userId: 'user_1', name: 'Ada' },
    })
    .add('tool:progress', { toolUseId: 't1', elapsedMs: 900 })
    .add('tool:result', { toolUseId: 't1', content: 'a.ts', isError: false, durationMs: 1200 })
    .add('todo:update', { items: [{ id: '1', text: 'Do', status: 'in_progress' }] })
    .add('tool:start', { toolUseId: 't2', name: 'Task', input: { prompt: 'x' }, mutating: false })
    .add('chat:complete', { messageId: 'm2', block: 0, text: 'inner', parentToolUseId: 't2' })
    .add('tool:result', { toolUseId: 't2', content: 'ok', isError: false, durationMs: 5 })
    .add('turn:retry', { attempt: 1, maxRetries: 10, delayMs: 500, status: 529, error: 'overloaded' })
    .add('chat:delta', { messageId: 'm3', block: 0, text: 'Half' })
    .add('chat:withdrawn', { messageId: 'm3', fromBlock: 0, reason: 'retried' })
    .add('chat:delta', { messageId: 'm4', block: 0, text: 'Whole' })
    .add('cost:update', { costUsd: '0.005', usage: USAGE })
    .add('session:complete', { text: 'Whole', degraded: false, costUsd: '0.01', usage: USAGE })
    .end()
    .outsideTurns()
    .add('process:exit', { code: 0, signal: null, attempt: 1, final: true })
    .add('session:update', { changes: { title: 'Tests' } })
    .add('tool:outcome', {
      turnId: 'turn_1',
      toolUseId: 't1',
      name: 'Bash',
      outcome: 'failed',
      by: { userId: 'user_1', name: 'Ada' },
    })
    .queue('turn_2', 'And again')
    .start()
    .add('turn:notice', { level: 'warning', code: 'LIMIT', text: 'Nearly there' })
    .add('tool:start', { toolUseId: 't3', name: 'Read', input: {}, mutating: false })
    .end('interrupted', { error: { code: 'INTERRUPTED', detail: 'Stopped by Ada' } });
}

describe('folding events into a transcript', () => {
  it('attaches a verdict on a call with an unknown outcome to that call, without beginning a turn', () => {
    const said = {
      turnId: 'turn_1',
      toolUseId: 't1',
      name: 'Bash',
      outcome: 'succeeded',
      note: 'I looked',
      by: { userId: 'user_1', name: 'Ada' },
    };
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('tool:start', { toolUseId: 't1', name: 'Bash', input: {}, mutating: true })
      .end('lost')
      .outsideTurns();
    const state = fold(script.add('tool:outcome', said).add('tool:outcome', { ...said, turnId: 'turn_0' }).events);
    expect(state.turns).toMatchObject([
      {
        id: 'turn_1',
        status: 'lost',
        items: [{ type: 'tool', status: 'unfinished', word: { outcome: 'succeeded', note: 'I looked', by: 'Ada' } }],
      },
    ]);
    expect(state.activeTurnId).toBeNull();
  });

  it('says who changed the options of the session, and to what; another change is none', () => {
    const by = {
      userId: 'user_01J00000000000000000000000',
      clientId: 'cli_01J00000000000000000000000',
      identityClass: 'human',
    } as const;
    const { turns } = fold(
      new EventScript()
        .add('session:update', { changes: { title: 'T' } }, by)
        .add('session:update', { changes: { options: { model: 'opus' } } }, by).events,
    );
    expect(turns).toMatchObject([
      { kind: 'system', items: [{ type: 'options', byId: by.userId, options: { model: 'opus' } }] },
    ]);
  });

  it('keeps with a notice what a program said', () => {
    const script = new EventScript()
      .queue('turn_1', 'Go')
      .add('turn:notice', { level: 'info', code: 'SETUP_DONE', text: 'Set up', output: 'installed 3 packages' });
    expect(itemsOf(script.events)).toMatchObject([{ type: 'notice', text: 'Set up', output: 'installed 3 packages' }]);
  });

  it('joins the deltas of a block and lets the whole block replace them', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .add('chat:delta', { messageId: 'm', block: 0, text: 'Hel' })
      .add('chat:delta', { messageId: 'm', block: 0, text: 'lo' });
    expect(itemsOf(script.events)).toMatchObject([{ type: 'text', text: 'Hello', done: false }]);
    script.add('chat:complete', { messageId: 'm', block: 0, text: 'Hello!' });
    expect(itemsOf(script.events)).toMatchObject([{ type: 'text', text: 'Hello!', done: true }]);
  });

  it('keeps two messages with the same block number apart', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .add('chat:complete', { messageId: 'a', block: 0, text: 'one' })
      .add('chat:complete', { messageId: 'b', block: 0, text: 'two' });
    expect(itemsOf(script.events)).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  it('leaves nothing of a withdrawn message, and starts over when the same message begins again', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .add('chat:complete', { messageId: 'm', block: 0, text: 'kept' })
      .add('chat:delta', { messageId: 'm', block: 1, text: 'secret half' })
      .add('tool:progress', { toolUseId: 't', partialInput: '{"a' })
      .add('chat:withdrawn', { messageId: 'm', fromBlock: 1, reason: 'retried' })
      .add('chat:delta', { messageId: 'm', block: 1, text: 'whole' });
    expect(itemsOf(script.events)).toMatchObject([
      { text: 'kept' },
      { type: 'void' },
      { type: 'void' },
      { text: 'whole' },
    ]);
    expect(JSON.stringify(fold(script.events))).not.toContain('secret half');
  });

  it('closes what was open when a turn ends without results', () => {
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .start()
      .add('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true })
      .add('permission:request', {
        permissionId: 'p',
        kind: 'tool',
        toolUseId: 't',
        tool: 'Bash',
        input: {},
        reason: '',
        pattern: null,
      })
      .end('lost', { error: { code: 'WORKER_LOST', detail: 'The worker died.' } });
    const state = fold(script.events);
    expect(state.activeTurnId).toBeNull();
    expect(state.turns[0]).toMatchObject({
      status: 'lost',
      error: { code: 'WORKER_LOST' },
      openPermissions: [],
      items: [
        { type: 'tool', status: 'unfinished' },
        { type: 'permission', answer: { outcome: 'run_ended' } },
      ],
    });
  });

  it('lets the first answer to a permission stand', () => {
    const script = new EventScript().queue('turn_1', 'Hi').start().add('permission:request', {
      permissionId: 'p',
      kind: 'tool',
      toolUseId: 't',
      tool: 'Bash',
      input: {},
      reason: '',
      pattern: null,
    });
    expect(fold(script.events).turns[0]).toMatchObject({ status: 'awaiting_permission', openPermissions: ['p'] });
    script
      .add('permission:resolve', {
        permissionId: 'p',
        outcome: 'denied',
        by: { userId: 'u', name: 'Ada' },
        reason: 'no',
      })
      .add('permission:resolve', { permissionId: 'p', outcome: 'allowed', by: { userId: 'v', name: 'Bo' } });
    expect(fold(script.events).turns[0]).toMatchObject({
      status: 'running',
      openPermissions: [],
      items: [{ answer: { outcome: 'denied', by: { userId: 'u', name: 'Ada' }, reason: 'no' } }],
    });
  });

  it('keeps what was answered, which sub-agent asked, which rules are offered and who stopped the turn', () => {
    const person = { userId: 'user_1', name: 'Ada' };
    const script = new EventScript()
      .queue('turn_1', 'Hi')
      .start()
      .add('tool:start', {
        toolUseId: 'agent',
        name: 'Agent',
        input: { description: 'Look around', subagent_type: 'Explore' },
        mutating: false,
      })
      .add('tool:start', { toolUseId: 't', name: 'Bash', input: {}, mutating: true, parentToolUseId: 'agent' })
      .add('permission:request', {
        permissionId: 'p',
        kind: 'tool',
        toolUseId: 't',
        tool: 'Bash',
        input: {},
        reason: '',
        pattern: null,
        patterns: ['Bash(a *)', 'Bash(b *)'],
      })
      .add('permission:request', {
        permissionId: 'q',
        kind: 'question',
        toolUseId: 'u',
        tool: 'AskUserQuestion',
        input: {},
        reason: '',
        pattern: null,
        agent: { type: 'Plan', task: 'Ask' },
      })
      .add('permission:resolve', {
        permissionId: 'q',
        outcome: 'allowed',
        by: person,
        answers: { Which: { chosen: ['A'], own: 'b' } },
      })
      .end('interrupted', { by: person });
    const turn = fold(script.events).turns[0]!;
    expect(turn.stoppedBy).toEqual(person);
    expect(turn.items.filter((item) => item.type === 'permission')).toMatchObject([
      {
        agent: { type: 'Explore', task: 'Look around' },
        patterns: ['Bash(a *)', 'Bash(b *)'],
        answer: { outcome: 'run_ended', answers: null },
      },
      {
        agent: { type: 'Plan', task: 'Ask' },
        answer: { outcome: 'allowed', answers: { Which: { chosen: ['A'], own: 'b' } } },
      },
    ]);
  });

  it('gives a turn its author and its ending', () => {
    expect(fold(wholeSession().events).turns[0]).toMatchObject({
      id: 'turn_1',
      message: 'Add a test',
      authorClass: 'human',
      status: 'completed',
      model: 'm',
      process: 'cold',
      paidBy: 'team',
      costUsd: '0.01',
      usage: USAGE,
    });
  });

  it('tells an unknown cost from none, and adds up what is known', () => {
    const script = new EventScript().queue('turn_1', 'One').add('cost:update', { costUsd: '0.005', usage: USAGE });
    script
      .end('completed', { costUsd: null, unpricedMessages: 2 })
      .queue('turn_2', 'Two')
      .end('interrupted', { costUsd: '0.1', estimated: true });
    const state = fold(script.events);
    expect(state).toMatchObject({ costUsd: '0.1', unpricedMessages: 2 });
    expect(state.turns).toMatchObject([
      { costUsd: null, unpricedMessages: 2, isCostEstimated: false },
      { costUsd: '0.1', unpricedMessages: 0, isCostEstimated: true },
    ]);
  });

  it('adds up what the turns cost, each with its latest figure', () => {
    const script = new EventScript()
      .queue('turn_1', 'One')
      .add('cost:update', { costUsd: '0.005', usage: USAGE })
      .add('cost:update', { costUsd: 'odd' });
    script.end('completed', { costUsd: '0.02' }).queue('turn_2', 'Two').end('completed', { costUsd: '0.1' });
    expect(Number(fold(script.events).costUsd)).toBe(0.12);
  });

  it('ignores events that it has already seen', () => {
    const { events } = wholeSession();
    const state = fold(events);
    expect(foldEvents(state, events)).toBe(state);
    expect(foldEvents(state, events.slice(3, 9))).toBe(state);
  });

  it('refuses what comes after a gap and says how far it got', () => {
    const { events } = wholeSession();
    const state = fold([...events.slice(0, 4), ...events.slice(5)]);
    expect(state).toEqual(fold(events.slice(0, 4)));
    expect(state.lastEventId).toBe(4);
    expect(foldEvents(state, events.slice(4))).toEqual(fold(events));
  });

  it('passes over a range that the server says is gone', () => {
    const script = new EventScript().queue('turn_1', 'Hi');
    const gap: WireEnvelope = {
      ...script.events[0]!,
      id: 40,
      kind: 'stream:gap',
      payload: { from: 2, to: 40, reason: 'pruned' },
    };
    const state = foldEvents(fold(script.events), [gap]);
    expect(state.lastEventId).toBe(40);
    expect(state.turns[0]!.items).toMatchObject([{ type: 'gap', from: 2, to: 40 }]);
  });

  it('survives kinds it does not know and payloads of the wrong shape', () => {
    const kinds = ['totally:new', '__proto__', 'constructor', ...wholeSession().events.map((event) => event.kind)];
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom(...kinds), fc.option(fc.constantFrom('turn_1', '__proto__')), fc.jsonValue()),
        ),
        (raw) => {
          const events = raw.map(([kind, turn, payload], at) => ({
            id: at + 1,
            kind,
            turn,
            originator: { system: true as const },
            ts: new Date(at).toISOString(),
            payload: payload as Record<string, unknown>,
          }));
          expect(fold(events).lastEventId).toBe(events.length);
        },
      ),
    );
  });

  it('gives the same view for every way of cutting, repeating and losing pages', () => {
    const { events } = wholeSession();
    const replay = fold(events);
    const page = fc.tuple(fc.nat(events.length), fc.nat(12)).map(([from, size]) => events.slice(from, from + size));
    fc.assert(
      fc.property(fc.array(page, { maxLength: 30 }), (pages) => {
        let live = emptyTranscript();
        for (const received of pages) live = foldEvents(live, received);
        live = foldEvents(live, events.slice(live.lastEventId));
        expect(live).toEqual(replay);
      }),
    );
  });

  it('changes no state that it was given, and keeps what it does not touch', () => {
    const { events } = wholeSession();
    const before = fold(events);
    const copy = structuredClone(before);
    const after = foldEvents(before, [
      { ...events[0]!, id: before.lastEventId + 1, turn: 'turn_3', payload: { turnKind: 'message', message: 'x' } },
    ]);
    expect(before).toEqual(copy);
    expect(after.turns.slice(0, -1)).toEqual(before.turns);
    after.turns.slice(0, -1).forEach((turn, at) => expect(turn).toBe(before.turns[at]));
  });

  it('is plain JSON, so that a stored snapshot continues where it stopped', () => {
    const { events } = wholeSession();
    const snapshot = JSON.parse(JSON.stringify(fold(events.slice(0, 20))));
    expect(foldEvents(snapshot, events.slice(20))).toEqual(fold(events));
  });
});
