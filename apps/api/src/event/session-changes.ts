import type { Session, SessionsMessage } from '@chirality/contracts';
import type { SessionChange } from '@chirality/messaging';
import type { Principal } from '../auth/principal';
import { sessionPolicy } from '../session/session.policy';
import { teamPolicy } from '../team/team.policy';

/** Somebody whose lists of sessions are to stay true. */
export interface ListReader {
  readonly who: Principal;
  send(message: SessionsMessage): void;
}

/** Changes of this long are told together. */
const COLLECT_MS = 150;

/** Tells connected people how sessions that they may see look in a list now, so that no page has to ask for its lists again. */
export class SessionChanges {
  private readonly changed = new Map<string, SessionChange>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly find: (sessionIds: string[]) => Promise<Session[]>,
    private readonly readers: () => Iterable<ListReader>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  note(change: SessionChange): void {
    const known = this.changed.get(change.sessionId);
    this.changed.set(change.sessionId, { ...change, mayBeHidden: change.mayBeHidden || known?.mayBeHidden === true });
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.tell().catch(this.onFailure);
    }, COLLECT_MS).unref();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.changed.clear();
  }

  private async tell(): Promise<void> {
    const readers = [...this.readers()];
    const changes = new Map(this.changed);
    this.changed.clear();
    if (readers.length === 0 || changes.size === 0) return;
    const sessions = await this.find([...changes.keys()]);
    for (const { who, send } of readers) {
      const seen = sessions.filter((session) => sessionPolicy.read(who, session));
      // Only where it was visible a moment ago: a private session is not even hinted at.
      const hidden = sessions.filter((session) => changes.get(session.id)?.mayBeHidden === true && !seen.includes(session) && teamPolicy.read(who, { id: session.teamId }));
      if (seen.length > 0 || hidden.length > 0) send({ sessions: seen, hidden: hidden.map(({ id }) => id) });
    }
  }
}
