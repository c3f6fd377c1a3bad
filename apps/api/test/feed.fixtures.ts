import type { Envelope } from '@chirality/contracts';
import type { EventSource } from '../src/event/session-feed';

export function envelope(id: number, text = `t${id}`): Envelope {
  return {
    id,
    kind: 'chat:delta',
    session: 'sess_01J00000000000000000000000',
    turn: null,
    originator: { system: true },
    ts: '2026-01-01T00:00:00.000Z',
    payload: { messageId: 'm', block: 0, text },
  };
}

/** A log in memory: what the real one is asked for, answered after a turn of the loop. */
export class MemoryLog implements EventSource {
  readonly events: Envelope[] = [];
  reads = 0;
  failing = false;

  append(count: number): Envelope[] {
    const added = Array.from({ length: count }, (_, index) => envelope(this.events.length + index + 1));
    this.events.push(...added);
    return added;
  }

  async readEvents(_sessionId: string, { after, limit }: { after: number; limit: number }): Promise<Envelope[]> {
    this.reads += 1;
    const page = this.events.slice(after, after + limit);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failing) throw new Error('the log is away');
    return page;
  }

  async lastEventIds(sessionIds: string[]): Promise<Map<string, number>> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.failing) throw new Error('the log is away');
    return new Map(sessionIds.map((id) => [id, this.events.length]));
  }
}
