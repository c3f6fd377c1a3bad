import { answerOf, type ChiralityClient, type Session, type SessionEvent } from '@chirality/client';
import {
  activeTurnOf,
  emptyTranscript,
  foldEvents,
  openPermissionsOf,
  transcriptRows,
  type PermissionItem,
  type TodoEntry,
  type TranscriptRow,
  type TranscriptState,
  type TurnView,
} from '@chirality/domain';
import { isSettled, rowLines } from '../transcript/row-lines';
import type { Line } from '../transcript/line';
import { safe } from '../text/safe-text';

type PrintedLine = Line & { id: number };

export type Snapshot = {
  /** Grows, and what is in it never changes: it is written once. */
  printed: readonly PrintedLine[];
  /** What may still change. */
  open: readonly TranscriptRow[];
  active: TurnView | null;
  permission: PermissionItem | null;
  todos: readonly TodoEntry[];
  model: string | null;
  costUsd: string;
  isConnected: boolean;
  /** Why nothing more will come. */
  failure: unknown;
};

/** Many events are drawn at once. */
const DRAW_EVERY_MS = 50;
const MAX_EARLIER_LINES = 300;

/** One session as it is now and as it changes, with the settled part of its transcript as lines. */
export class LiveSession {
  session: Session;
  private state: TranscriptState = emptyTranscript();
  private readonly printedKeys = new Set<string>();
  private printed: PrintedLine[] = [];
  private snapshotNow: Snapshot;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly ending = new AbortController();
  private isConnected = false;
  private failure: unknown = null;

  constructor(
    readonly client: ChiralityClient,
    session: Session,
    private readonly columns: () => number,
  ) {
    this.session = session;
    this.snapshotNow = this.take();
  }

  /** Reads what was said so far, and then follows it until `close`. */
  async open(): Promise<void> {
    const path = { sessionId: this.session.id };
    const answer = await answerOf(this.client.api.GET('/v1/sessions/{sessionId}/transcript', { params: { path } }));
    if ('transcript' in answer) this.state = answer.transcript as unknown as TranscriptState;
    this.isConnected = true;
    this.settle();
    const hidden = this.printed.length - MAX_EARLIER_LINES;
    if (hidden > 0 || this.state.firstEventId > 1) {
      const note: PrintedLine = { id: -1, text: safe`  … earlier messages are in the dashboard`, tone: 'dim' };
      this.printed = [note, ...this.printed.slice(Math.max(0, hidden))];
    }
    this.draw();
    void this.follow();
  }

  snapshot = (): Snapshot => this.snapshotNow;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Adds lines that are this client’s own: what a command answered. */
  say(lines: readonly Line[]): void {
    this.print(lines);
    this.draw();
  }

  close(): void {
    this.ending.abort();
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async follow(): Promise<void> {
    const options = {
      after: this.state.lastEventId,
      signal: this.ending.signal,
      onState: (state: 'live' | 'waiting') => {
        this.isConnected = state === 'live';
        this.drawSoon();
      },
    };
    try {
      for await (const event of this.client.follow(this.session.id, options)) this.fold(event);
    } catch (error) {
      this.failure = error;
      this.draw();
    }
  }

  private fold(event: SessionEvent): void {
    this.state = foldEvents(this.state, [event]);
    if (event.kind === 'chat:withdrawn' && this.printed.length > 0)
      this.print([{ text: safe`  What is above was withdrawn; the model begins again.`, tone: 'warning' }]);
    this.drawSoon();
  }

  private drawSoon(): void {
    this.timer ??= setTimeout(() => this.draw(), DRAW_EVERY_MS);
  }

  private draw(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.settle();
    this.snapshotNow = this.take();
    for (const listener of this.listeners) listener();
  }

  /** Prints in order: what is behind an open row waits for it. */
  private settle(): void {
    for (const row of transcriptRows(this.state)) {
      if (this.printedKeys.has(row.key)) continue;
      if (!isSettled(row)) return;
      this.printedKeys.add(row.key);
      this.print(rowLines(row, this.columns()));
    }
  }

  private print(lines: readonly Line[]): void {
    const from = this.printed.length;
    this.printed = [...this.printed, ...lines.map((line, at) => ({ ...line, id: from + at }))];
  }

  private take(): Snapshot {
    return {
      printed: this.printed,
      open: transcriptRows(this.state).filter(({ key }) => !this.printedKeys.has(key)),
      active: activeTurnOf(this.state),
      permission: openPermissionsOf(this.state)[0] ?? null,
      todos: this.state.todos,
      model: this.state.init?.model ?? null,
      costUsd: this.state.costUsd,
      isConnected: this.isConnected,
      failure: this.failure,
    };
  }
}
