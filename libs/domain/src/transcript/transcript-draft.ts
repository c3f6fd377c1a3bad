import type { Originator } from '@chirality/contracts';
import type { TranscriptItem, TranscriptState, TurnView } from './transcript-state';

/** An envelope as it comes off the wire: its kind and payload are not known to be ours. */
export type WireEnvelope = {
  id: number;
  kind: string;
  turn: string | null;
  originator: Originator;
  ts: string;
  payload: Record<string, unknown>;
};

/**
 * A transcript while one batch of events is folded into it. Whatever the batch changes is copied once, on the
 * first change, so that the cost of a batch is its own size plus the lists it touches, and everything that it
 * does not touch keeps its identity.
 */
export class TranscriptDraft {
  readonly state: TranscriptState;
  private readonly ownTurns = new Set<string>();
  private readonly ownIndexes = new Set<string>();
  private ownsTurnIndex = false;

  constructor(base: TranscriptState) {
    this.state = { ...base, turns: base.turns.slice() };
  }

  /** The turn that this event belongs to, ready to be changed; made when this is the first event of it. */
  turnOf(event: WireEnvelope): TurnView {
    const id = event.turn ?? `system:${event.id}`;
    const at = Object.hasOwn(this.state.turnIndex, id) ? this.state.turnIndex[id] : undefined;
    return at === undefined ? this.addTurn(id, event) : this.ownTurn(at);
  }

  append(turn: TurnView, indexKey: string | null, item: TranscriptItem): void {
    turn.items.push(item);
    if (indexKey === null) return;
    if (!this.ownIndexes.has(turn.id)) {
      turn.index = { ...turn.index };
      this.ownIndexes.add(turn.id);
    }
    turn.index[indexKey] = turn.items.length - 1;
  }

  find<T extends TranscriptItem['type']>(
    turn: TurnView,
    indexKey: string,
    type: T,
  ): { at: number; item: Extract<TranscriptItem, { type: T }> } | null {
    const at = turn.index[indexKey];
    const item = at === undefined ? undefined : turn.items[at];
    if (at === undefined || item?.type !== type) return null;
    return { at, item: item as Extract<TranscriptItem, { type: T }> };
  }

  private ownTurn(at: number): TurnView {
    const turn = this.state.turns[at]!;
    if (this.ownTurns.has(turn.id)) return turn;
    this.ownTurns.add(turn.id);
    const own = { ...turn, items: turn.items.slice() };
    this.state.turns[at] = own;
    return own;
  }

  private addTurn(id: string, event: WireEnvelope): TurnView {
    const turn: TurnView = {
      id,
      kind: event.turn === null ? 'system' : 'message',
      status: event.turn === null ? 'completed' : 'queued',
      authorId: null,
      authorName: null,
      authorClass: null,
      clientId: null,
      message: null,
      attachments: [],
      outputSchema: null,
      position: null,
      attempt: 0,
      worker: null,
      process: null,
      paidBy: null,
      model: null,
      queuedAt: event.ts,
      startedAt: null,
      endedAt: event.turn === null ? event.ts : null,
      items: [],
      index: {},
      openPermissions: [],
      retry: null,
      costUsd: '0',
      unpricedMessages: 0,
      isCostEstimated: false,
      usage: null,
      timings: null,
      changes: null,
      error: null,
      stoppedBy: null,
      degraded: false,
      resultText: null,
      structured: null,
    };
    if (!this.ownsTurnIndex) {
      this.state.turnIndex = { ...this.state.turnIndex };
      this.ownsTurnIndex = true;
    }
    this.state.turnIndex[id] = this.state.turns.length;
    this.state.turns.push(turn);
    this.ownTurns.add(id);
    this.ownIndexes.add(id);
    if (event.turn !== null) this.state.activeTurnId = id;
    return turn;
  }
}

/** What a new item starts from. */
export function itemBase(
  event: WireEnvelope,
  parent: unknown = null,
): { key: string; at: string; parent: string | null } {
  return { key: `e${event.id}`, at: event.ts, parent: typeof parent === 'string' ? parent : null };
}
