import type { EventKind, EventPayload, NewEvent, Originator } from '@chirality/contracts';
import { EventLogClosedError, type AppendItem, type EventLogWriter } from '@chirality/database';
import { MaskingStream, maskJson, withoutHostPaths, type MaskPattern } from '@chirality/domain';

/** How long an event waits for another one to be stored with. */
const HELD_MS = 100;
/** Most of a delta that is made of several. */
const GATHER_CHARS = 16_000;

type BlockPayload = EventPayload<'chat:delta'>;

/**
 * Writes one attempt's events, masked, in order. Deltas pass through one masking stream per block, so a secret cut in
 * two is still found. The first refused write means that this attempt no longer owns the session: `onFenced` is called
 * once, and nothing more is written.
 */
export class TurnRecorder {
  private readonly streams = new Map<
    string,
    { mask: MaskingStream; kind: 'chat:delta' | 'thinking:delta'; payload: BlockPayload }
  >();
  /** Messages of which viewers have seen something that a retry would say again. */
  private readonly streamed = new Set<string>();
  private readonly pending = new Set<Promise<unknown>>();
  private fenced = false;
  private patterns: readonly MaskPattern[] | undefined;
  /** An event that waits for the next one, and what ends its wait. */
  private held: { event: NewEvent; timer: NodeJS.Timeout } | null = null;
  /** A delta that what is read in the same moment may still be added to. */
  private gathered: { key: string; kind: 'chat:delta' | 'thinking:delta'; payload: BlockPayload; text: string } | null =
    null;

  constructor(
    private readonly eventLog: Pick<EventLogWriter, 'append'>,
    private readonly of: { sessionId: string; turnId: string; fence: bigint; originator: Originator },
    private readonly onFenced: () => void,
    /** The database rejects the event itself: it is left out, and the turn continues. */
    private readonly onUnwritable: (error: Error) => void,
  ) {}

  /** What hides the project's own values, beside the usual secrets; undefined while there are none. */
  get masks(): readonly MaskPattern[] | undefined {
    return this.patterns;
  }

  /** From now on these are hidden too. Call before anything that may hold them is recorded. */
  maskAlso(patterns: readonly MaskPattern[]): void {
    this.patterns = patterns;
  }

  get isFenced(): boolean {
    return this.fenced;
  }

  /** Stores an event of this turn. Never waits and never throws: what fails here shows as a fenced attempt. */
  record<K extends EventKind>(kind: K, payload: EventPayload<K>): void {
    if (kind === 'chat:delta' || kind === 'thinking:delta') this.recordDelta(kind, payload as BlockPayload);
    else if (kind === 'chat:complete' || kind === 'thinking:complete')
      this.recordComplete(kind, payload as BlockPayload);
    else {
      if (kind === 'chat:withdrawn') this.forgetMessage((payload as EventPayload<'chat:withdrawn'>).messageId);
      else if (kind === 'tool:progress') return this.recordProgress(payload as EventPayload<'tool:progress'>);
      this.send([this.event(kind, maskJson(forPeople(kind, payload), this.patterns))]);
    }
  }

  /**
   * Like `record`, for what another event follows in a moment: both are stored in one commit, or this one alone in 100
   * ms.
   */
  recordWithNext<K extends EventKind>(kind: K, payload: EventPayload<K>): void {
    this.letGo();
    this.held = {
      event: this.event(kind, maskJson(payload, this.patterns)),
      timer: setTimeout(() => this.letGo(), HELD_MS).unref(),
    };
  }

  /**
   * Stores events together with a change of the turn's state, all or nothing. False when the change was refused or the
   * attempt is fenced off.
   */
  async transition(
    change: NonNullable<AppendItem['transition']>,
    events: { kind: EventKind; payload: unknown }[] = [],
  ): Promise<boolean> {
    this.sendGathered();
    if (this.fenced) return false;
    const held = this.takeHeld();
    const own = events.map(({ kind, payload }) => this.event(kind, maskJson(payload, this.patterns)));
    let stored = false;
    try {
      const result = await this.eventLog.append({
        sessionId: this.of.sessionId,
        fence: this.of.fence,
        events: [...held, ...own],
        transition: async (tx) => this.inOurName(await change(tx)),
      });
      stored = result.appended;
      if (!result.appended && result.reason === 'fenced') this.lose();
    } finally {
      // What only went with it does not fall with it.
      if (!stored && held.length > 0) this.write(held);
    }
    return stored;
  }

  /** Writes out what masking still holds back: the process will say no more. */
  closeBlocks(): void {
    for (const key of [...this.streams.keys()]) this.flushBlock(key);
  }

  /** Declares void all that was streamed so far: it will be said again. */
  withdrawAll(reason: string): void {
    for (const messageId of [...this.streamed]) this.record('chat:withdrawn', { messageId, fromBlock: 0, reason });
  }

  /** Resolves when everything recorded so far is stored (or refused). */
  async settled(): Promise<void> {
    this.sendGathered();
    this.letGo();
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  /** What streams so far may end in half a secret, which only a stream knows to hold back. */
  private recordProgress(payload: EventPayload<'tool:progress'>): void {
    const { partialInput, ...rest } = payload;
    const masked =
      partialInput === undefined ? {} : { partialInput: new MaskingStream(this.patterns).push(partialInput) };
    this.send([this.event('tool:progress', { ...maskJson(rest, this.patterns), ...masked })]);
  }

  private recordDelta(kind: 'chat:delta' | 'thinking:delta', payload: BlockPayload): void {
    this.streamed.add(payload.messageId);
    const key = blockKey(kind, payload);
    let block = this.streams.get(key);
    if (!block) {
      block = { mask: new MaskingStream(this.patterns), kind, payload };
      this.streams.set(key, block);
    }
    const text = block.mask.push(payload.text);
    if (text !== '') this.gather(key, kind, payload, text);
  }

  /** Deltas of one block that are read from the pipe at once make one event. */
  private gather(key: string, kind: 'chat:delta' | 'thinking:delta', payload: BlockPayload, text: string): void {
    if (this.gathered?.key === key && this.gathered.text.length < GATHER_CHARS) {
      this.gathered.text += text;
      return;
    }
    this.sendGathered();
    this.gathered = { key, kind, payload, text };
    queueMicrotask(() => this.sendGathered());
  }

  private sendGathered(): void {
    const delta = this.gathered;
    this.gathered = null;
    if (delta) this.write([this.event(delta.kind, { ...delta.payload, text: delta.text })]);
  }

  private recordComplete(kind: 'chat:complete' | 'thinking:complete', payload: BlockPayload): void {
    this.flushBlock(blockKey(kind, payload));
    this.send([this.event(kind, maskJson(payload, this.patterns))]);
  }

  private flushBlock(key: string): void {
    const block = this.streams.get(key);
    this.streams.delete(key);
    const text = block?.mask.flush() ?? '';
    if (block && text !== '') this.send([this.event(block.kind, { ...block.payload, text })]);
  }

  private forgetMessage(messageId: string): void {
    this.streamed.delete(messageId);
    for (const [key, block] of this.streams) if (block.payload.messageId === messageId) this.streams.delete(key);
  }

  private event(kind: EventKind, payload: unknown): NewEvent {
    return { kind, turn: this.of.turnId, originator: this.of.originator, payload } as NewEvent;
  }

  /** What the system does to the turn besides is said in the name of who began it too. */
  private inOurName(changed: boolean | NewEvent[]): boolean | NewEvent[] {
    if (!Array.isArray(changed)) return changed;
    const { turnId, originator } = this.of;
    return changed.map((event) =>
      event.turn === turnId && 'system' in event.originator ? { ...event, originator } : event,
    );
  }

  /** Whatever was gathered comes first: the order of the calls is the order of the log. */
  private send(events: NewEvent[]): void {
    this.sendGathered();
    this.write(events);
  }

  private letGo(): void {
    if (this.held) this.write([]);
  }

  private takeHeld(): NewEvent[] {
    if (!this.held) return [];
    const { event, timer } = this.held;
    clearTimeout(timer);
    this.held = null;
    return [event];
  }

  private write(more: NewEvent[]): void {
    const events = [...this.takeHeld(), ...more];
    if (this.fenced) return;
    const writing = this.eventLog.append({ sessionId: this.of.sessionId, fence: this.of.fence, events }).then(
      (result) => {
        if (!result.appended) this.lose();
      },
      (error: Error) => (error instanceof EventLogClosedError ? this.lose() : this.onUnwritable(error)),
    );
    this.pending.add(writing);
    void writing.finally(() => this.pending.delete(writing));
  }

  private lose(): void {
    if (this.fenced) return;
    this.fenced = true;
    this.onFenced();
  }
}

function blockKey(kind: EventKind, payload: BlockPayload): string {
  return `${kind.startsWith('chat') ? 'chat' : 'thinking'}:${payload.messageId}:${payload.block}`;
}

/** What the service itself says to people may quote a program that names files of the host. */
function forPeople<K extends EventKind>(kind: K, payload: EventPayload<K>): unknown {
  if (kind === 'turn:notice') return hiding(payload as EventPayload<'turn:notice'>, 'text');
  if (kind === 'session:error') return hiding(payload as EventPayload<'session:error'>, 'detail');
  return payload;
}

function hiding<Key extends string, Payload extends { [key in Key]: string }>(payload: Payload, key: Key): Payload {
  return { ...payload, [key]: withoutHostPaths(payload[key]) };
}
