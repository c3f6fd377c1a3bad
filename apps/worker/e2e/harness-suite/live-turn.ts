import type { EventKind, Turn } from '@chirality/contracts';
import { waitFor, type Stack } from '@chirality/testing';
import { turnProcesses } from '../support/process-scan';
import type { WatchedSession } from '../support/watched-session';

type Answer = {
  decision: 'allow_once' | 'allow_pattern' | 'allow_tool' | 'deny';
  reason?: string;
  answers?: Record<string, string>;
};

/** A turn under way, and what can be done to it. */
export class LiveTurn {
  constructor(
    readonly watched: WatchedSession,
    readonly turn: Turn,
    private readonly model: Stack['model'],
  ) {}

  /** Waits until an event of this kind and content came. */
  async saw(kind: EventKind, fits?: (payload: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    return (await this.watched.saw(kind, this.turn, 60_000, fits)).payload;
  }

  /** Whether an event of the second kind came after the last one of the first. */
  saidSince(first: EventKind, second: EventKind): boolean {
    const kinds = this.watched.kinds(this.turn);
    return kinds.indexOf(second, kinds.lastIndexOf(first)) >= 0;
  }

  /** Cuts the answer that falls silent by `[[cut on=name]]`, once it has. */
  async cutAnswer(name: string): Promise<void> {
    if (!this.model) throw new Error('Only the model that answers by directives can be cut.');
    await this.model.cut(name);
  }

  async interrupt(): Promise<void> {
    expect((await this.watched.person.interrupt(this.watched.id)).status).toBe(202);
  }

  /** Answers the n-th question of the turn, the first being 1. */
  async answer(answer: Answer, nth = 1): Promise<void> {
    await waitFor(() => this.watched.payloads(this.turn, 'permission:request').length >= nth, {
      what: `question ${nth} of the turn; seen: ${this.watched.kinds(this.turn).join(' ')}`,
      timeoutMs: 60_000,
      everyMs: 5,
    });
    const asked = this.watched.payloads(this.turn, 'permission:request')[nth - 1];
    const { status } = await this.watched.person.call(
      'POST',
      `/v1/sessions/${this.watched.id}/permissions/${String(asked?.['permissionId'])}`,
      answer,
    );
    expect(status).toBe(200);
  }

  /** Process ids of the program itself, without its sandbox and its tools. */
  async program(): Promise<number> {
    const find = () => turnProcesses(this.watched.id).find(({ command }) => /^\S*claude -p /.test(command))?.pid;
    await waitFor(() => find() !== undefined, { what: 'the program runs', timeoutMs: 20_000, everyMs: 10 });
    return find() as number;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.program(), signal);
  }
}
