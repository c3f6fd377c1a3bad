import fc from 'fast-check';
import { sumMoney } from '../cost/money';
import { EventScript, USAGE } from './event-script';
import { foldEvents } from './fold-events';
import type { WireEnvelope } from './transcript-draft';
import {
  beginEarlierTurns,
  beginTranscriptAt,
  earlierTurnsOf,
  isTurnKnown,
  prependTurns,
  SESSION_FACT_KINDS,
} from './transcript-pages';
import { emptyTranscript, type TranscriptState } from './transcript-state';

const fold = (events: readonly WireEnvelope[]) => foldEvents(emptyTranscript(), events);

type Step = (script: EventScript, turn: string) => unknown;

/** What happens in a turn, and between and during turns outside of all of them. */
const INSIDE: Step[] = [
  (script) => script.start(),
  (script) => script.start(2),
  (script) =>
    script.add('session:init', {
      claudeSessionId: `s${script.events.length}`,
      model: 'm',
      tools: ['Read'],
      cwd: '/w',
      permissionMode: 'default',
      claudeCodeVersion: '2',
      forkedFrom: 's0',
    }),
  (script) => script.add('chat:delta', { messageId: 'm', block: script.events.length % 2, text: 'a' }),
  (script) => script.add('thinking:complete', { messageId: 'm', block: 0, text: 'b' }),
  (script) => script.add('chat:withdrawn', { messageId: 'm', fromBlock: 0, reason: 'retried' }),
  (script, turn) => script.add('tool:start', { toolUseId: `tool_of_${turn}`, name: 'Bash', input: {}, mutating: true }),
  (script) =>
    script.add('permission:request', {
      permissionId: `p${script.events.length}`,
      kind: 'tool',
      toolUseId: 't',
      tool: 'Bash',
      input: {},
      reason: '',
      pattern: null,
    }),
  (script) => script.add('todo:update', { items: [{ id: '1', text: `${script.events.length}`, status: 'pending' }] }),
  (script) =>
    script.add('cost:update', {
      costUsd: `0.0${script.events.length % 7}`,
      usage: USAGE,
      unpricedMessages: script.events.length % 3,
    }),
  (script) => script.add('cost:update', { costUsd: null, usage: USAGE, unpricedMessages: 1 }),
];
const OUTSIDE: Step[] = [
  (script) => script.add('session:update', { changes: { title: `${script.events.length}` } }),
  (script) => script.add('session:update', { changes: { options: { model: `${script.events.length}` } } }),
  (script) => script.add('session:end', { reason: script.events.length % 2 === 0 ? 'idle' : 'user' }),
  (script) => script.add('budget:notice', { budgetId: 'b', percent: 80, spentUsd: '8', limitUsd: '10' }),
  (script, turn) =>
    script.add('tool:outcome', {
      turnId: turn,
      toolUseId: `tool_of_${turn}`,
      name: 'Bash',
      outcome: 'failed',
      by: { userId: 'user_1', name: 'Ada' },
    }),
  (script) => script.add('process:exit', { code: 0, signal: null, attempt: 1, final: true }),
];

const turnName = (n: number) => `turn_${String(n).padStart(3, '0')}`;
const choiceOf = (steps: readonly Step[]) => fc.integer({ min: 0, max: steps.length - 1 });
const happening = fc.oneof(
  { weight: 3, arbitrary: choiceOf(INSIDE).map((at) => ({ isInside: true, at })) },
  { weight: 1, arbitrary: choiceOf(OUTSIDE).map((at) => ({ isInside: false, at })) },
);

/** A log as the service writes it: a turn begins with `turn:queued` and ends before the next, and what is outside may fall anywhere. */
const logs = fc
  .record({
    before: fc.array(choiceOf(OUTSIDE), { maxLength: 3 }),
    turns: fc.array(
      fc.record({
        within: fc.array(happening, { maxLength: 8 }),
        after: fc.array(choiceOf(OUTSIDE), { maxLength: 3 }),
        outcomeOf: fc.nat(8),
      }),
      { maxLength: 7 },
    ),
    isLastOpen: fc.boolean(),
  })
  .map(({ before, turns, isLastOpen }) => {
    const script = new EventScript();
    for (const at of before) OUTSIDE[at]!(script, turnName(0));
    turns.forEach(({ within, after, outcomeOf }, n) => {
      const own = turnName(n);
      script.queue(own, `message ${n}`);
      for (const { isInside, at } of within) {
        if (isInside) INSIDE[at]!(script, own);
        else outside(script, own, at, outcomeOf);
      }
      if (isLastOpen && n === turns.length - 1) return;
      script.end('completed', { costUsd: n % 3 === 2 ? null : `0.${n + 1}`, unpricedMessages: n % 2 }).outsideTurns();
      for (const at of after) OUTSIDE[at]!(script, turnName(outcomeOf));
    });
    return script.events;
  });

/** Outside of the turn that runs, which continues after it. */
function outside(script: EventScript, running: string, at: number, other: number): void {
  script.outsideTurns();
  OUTSIDE[at]!(script, turnName(other));
  script.resume(running);
}

const begins = (events: readonly WireEnvelope[]) =>
  events.filter(({ kind }) => kind === 'turn:queued').map(({ id }) => id);

/** What a server reads of the log before the first shown turn. */
function factsBefore(events: readonly WireEnvelope[], cut: number) {
  const before = events.filter(({ id }) => id < cut);
  const { turns } = fold(before);
  const latest = SESSION_FACT_KINDS.latest.flatMap((kind) => before.findLast((event) => event.kind === kind) ?? []);
  const all = before.filter(({ kind }) => (SESSION_FACT_KINDS.all as readonly string[]).includes(kind));
  return {
    events: [...latest, ...all].sort((a, b) => a.id - b.id),
    costUsd: sumMoney(turns.map(({ costUsd }) => costUsd ?? '0')),
    unpricedMessages: turns.reduce((sum, { unpricedMessages }) => sum + unpricedMessages, 0),
  };
}

const newest = (events: readonly WireEnvelope[], cut: number) =>
  foldEvents(beginTranscriptAt(cut, factsBefore(events, cut)), events.slice(cut - 1));

function page(events: readonly WireEnvelope[], from: number, before: number) {
  const later = events.filter(({ id, kind }) => id >= before && kind === 'tool:outcome');
  return earlierTurnsOf(foldEvents(beginEarlierTurns(from), events.slice(from - 1, before - 1)), later);
}

/** The state of everything, without the turns that begin before `cut`. */
function restricted(whole: TranscriptState, events: readonly WireEnvelope[], cut: number): TranscriptState {
  const left = new Set(fold(events.slice(0, cut - 1)).turns.map(({ id }) => id));
  const turns = whole.turns.filter(({ id }) => !left.has(id));
  return { ...whole, firstEventId: cut, turns, turnIndex: Object.fromEntries(turns.map(({ id }, at) => [id, at])) };
}

describe('a transcript in pages', () => {
  it('shows of its newest turns, and of the whole session, what a fold of everything shows', () => {
    fc.assert(
      fc.property(logs, (events) => {
        const whole = fold(events);
        for (const cut of begins(events)) expect(newest(events, cut)).toEqual(restricted(whole, events, cut));
      }),
    );
  });

  it('is whole once every earlier page is put before it, wherever the pages are cut', () => {
    fc.assert(
      fc.property(logs, fc.infiniteStream(fc.boolean()), (events, isCut) => {
        const cuts = begins(events).filter(() => isCut.next().value as boolean);
        if (cuts.length === 0) return;
        let state = newest(events, cuts.at(-1)!);
        for (const from of [1, ...cuts.slice(0, -1)].reverse())
          state = prependTurns(state, page(events, from, state.firstEventId));
        expect(state).toEqual(fold(events));
      }),
    );
  });

  it('is continued by the events after it, before and after earlier turns have come', () => {
    fc.assert(
      fc.property(logs, fc.nat(), fc.nat(), (events, at, gap) => {
        const cut = begins(events).at(-1);
        if (cut === undefined) return;
        const known = cut + (at % (events.length - cut + 1));
        const beforePage = known + (gap % (events.length - known + 1));
        let state = foldEvents(newest(events.slice(0, known), cut), events.slice(known, beforePage));
        state = prependTurns(state, page(events.slice(0, beforePage), 1, cut));
        expect(foldEvents(state, events.slice(beforePage))).toEqual(fold(events));
      }),
    );
  });

  it('begins no turn a second time for an event of one that is missing', () => {
    const { events } = new EventScript().queue('turn_1', 'One').end().queue('turn_2', 'Two').end();
    const state = newest(events, 3);
    const late = {
      ...events[0]!,
      id: 5,
      kind: 'turn:notice',
      payload: { level: 'warning', code: 'LATE', text: 'late' },
    };
    expect(foldEvents(state, [late])).toEqual({ ...state, lastEventId: 5 });
  });

  it('knows the turns that are missing from those that are yet to come', () => {
    const { events } = new EventScript().queue('turn_2', 'One').end().queue('turn_4', 'Two').end();
    const known = (state: TranscriptState) =>
      ['turn_1', 'turn_2', 'turn_3', 'turn_4', 'turn_5'].filter((id) => isTurnKnown(state, id));
    expect(known(newest(events, 3))).toEqual(['turn_1', 'turn_2', 'turn_3', 'turn_4']);
    expect(known(fold(events))).toEqual(['turn_2', 'turn_4']);
    expect(known(emptyTranscript())).toEqual([]);
  });
});
