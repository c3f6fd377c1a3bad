import type { CustomEvent, Envelope, Originator } from '@chirality/contracts';
import type { Database } from '../connection/database';
import type { EventLogWriter } from './event-log-writer';

/** What programs add to a session's log. */
export class CustomEventRepository {
  constructor(
    _database: Database,
    private readonly log: EventLogWriter,
  ) {}

  /** Appends the event, masked by the caller, and answers it with its id; null where there is no such session. */
  async append(sessionId: string, payload: CustomEvent, originator: Originator): Promise<Envelope | null> {
    const result = await this.log.append({
      sessionId,
      fence: null,
      events: [{ kind: 'custom', turn: null, originator, payload }],
    });
    return result.appended ? (result.events[0] ?? null) : null;
  }
}
