import { AnotherTurn } from './records';
import {
  ClaudeStreamMapper,
  type AskedFor,
  type HarnessEvent,
  type RunOutcome,
} from '../../src/harness/claude-code/mapper/claude-stream-mapper';

export type Scenario = {
  /** The kind of failure that it stands for, or the rule. */
  name: string;
  records: unknown[];
  exit?: { code: number | null; signal: string | null; stderr?: string };
  requested?: string | null;
  asked?: AskedFor;
  /** How much time passes before each record. */
  stepMs?: number;
  /** All events, without `session:init`, which every scenario begins with unless it is about it. */
  events?: unknown[];
  /** Of which kinds `events` speaks; of all without it. */
  only?: string[];
  inits?: unknown[];
  /** Outputs that are no events, by type. */
  others?: unknown[];
  /** The position of the record with which the answer began. */
  answerBeginsAt?: number | null;
  /** The sizes that came with events. */
  sizes?: number[];
  /** The named parts of what it amounts to. */
  outcome?: Record<string, unknown>;
};

type Observed = Pick<Scenario, 'events' | 'inits' | 'others' | 'outcome' | 'answerBeginsAt' | 'sizes'>;

/** Plays a scenario and says what came of it, in those respects in which the scenario expects something. */
export function observe(scenario: Scenario): Observed {
  let now = 0;
  const mapper = new ClaudeStreamMapper({
    requestedSessionId: scenario.requested ?? null,
    asked: scenario.asked ?? {},
    clock: () => now,
  });
  const events: HarnessEvent[] = [];
  const others: unknown[] = [];
  const begins: number[] = [];
  const sizes: number[] = [];
  scenario.records.forEach((record, position) => {
    now += scenario.stepMs ?? 0;
    if (record instanceof AnotherTurn) return mapper.beginTurn(record.asked);
    for (const output of mapper.accept(record)) {
      if (output.type === 'event') {
        events.push(output.event);
        if (output.bytes !== undefined) sizes.push(output.bytes);
      } else if (output.type === 'result') {
        const { outcome, text, resultIndex: index, queuedTurnCount: queued } = output.result;
        others.push({ type: 'result', outcome, text, index, queued });
      } else if (output.type === 'first-text') begins.push(position);
      else if (output.type !== 'init') others.push(output);
    }
  });
  const outcome = mapper.finish(scenario.exit ?? { code: 0, signal: null });
  const flat = {
    ...outcome,
    code: outcome.error?.code ?? null,
    detail: outcome.error?.detail ?? null,
    ignored: [...outcome.ignored],
  } as Record<string, unknown>;
  const seen: Observed = {};
  if (scenario.events)
    seen.events = events
      .filter(({ kind }) => (scenario.only ? scenario.only.includes(kind) : kind !== 'session:init'))
      .map(plain);
  if (scenario.inits) seen.inits = events.filter(({ kind }) => kind === 'session:init').map(({ payload }) => payload);
  if (scenario.others) seen.others = others;
  if (scenario.answerBeginsAt !== undefined) seen.answerBeginsAt = begins.length > 1 ? -1 : (begins[0] ?? null);
  if (scenario.sizes) seen.sizes = sizes;
  if (scenario.outcome)
    seen.outcome = Object.fromEntries(Object.keys(scenario.outcome).map((key) => [key, flat[key as keyof RunOutcome]]));
  return JSON.parse(JSON.stringify(seen)) as Observed;
}

export function expectation({ events, inits, others, outcome, answerBeginsAt, sizes }: Scenario): Observed {
  return JSON.parse(JSON.stringify({ events, inits, others, outcome, answerBeginsAt, sizes })) as Observed;
}

function plain({ kind, payload }: HarnessEvent): unknown {
  return { kind, ...payload };
}
