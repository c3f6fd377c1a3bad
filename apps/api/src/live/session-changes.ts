import type { Session, SessionChange, SessionsMessage } from '@chirality/contracts';
import { roleIn, roleInProject, type Principal } from '../access/principal';
import { projectOf, sessionPolicy } from '../access/session.policy';

/** A client whose lists of sessions are kept current. */
interface ListReader {
  readonly who: Principal;
  send(message: SessionsMessage): void;
}

/** Changes within this time are sent together. */
const COLLECT_MS = 150;
/** How long after a failed read the same changes are tried again. */
const RETRY_MS = 2_000;

/**
 * Tells connected people how sessions that they may see look in a list now, so that no page has to ask for its lists
 * again.
 */
export class SessionChanges {
  private readonly changed = new Map<string, SessionChange>();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(
    private readonly find: (sessionIds: string[]) => Promise<{ sessions: Session[]; deleted: Session[] }>,
    private readonly readers: () => Iterable<ListReader>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  note(change: SessionChange): void {
    const known = this.changed.get(change.sessionId);
    const lostTo = joinedLoss(change.lostTo, known?.lostTo);
    this.changed.set(change.sessionId, {
      ...change,
      mayBeHidden: change.mayBeHidden || known?.mayBeHidden === true,
      ...(lostTo === undefined ? {} : { lostTo }),
      ...(change.pullRequest === true || known?.pullRequest === true ? { pullRequest: true } : {}),
    });
    this.tellIn(COLLECT_MS);
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.changed.clear();
  }

  private tellIn(delayMs: number): void {
    if (this.closed) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.tell().catch((error: unknown) => {
        this.onFailure(error);
        if (this.changed.size > 0) this.tellIn(RETRY_MS);
      });
    }, delayMs).unref();
  }

  private async tell(): Promise<void> {
    const readers = [...this.readers()];
    const changes = new Map(this.changed);
    this.changed.clear();
    if (readers.length === 0 || changes.size === 0) return;
    const { sessions, deleted } = await this.find([...changes.keys()]).catch((error: unknown) => {
      // Sent with the next ones, or a moment later: what came meanwhile is newer.
      for (const [id, change] of changes)
        this.changed.set(id, {
          ...change,
          mayBeHidden: change.mayBeHidden || this.changed.get(id)?.mayBeHidden === true,
          ...(change.pullRequest === true || this.changed.get(id)?.pullRequest === true ? { pullRequest: true } : {}),
        });
      throw error;
    });
    for (const { who, send } of readers) {
      const seen = sessions.filter((session) => sessionPolicy.read(who, session));
      // Only where it was visible a moment ago: what was private, or another project's members', is not even hinted at.
      const hidden = sessions.filter(
        (session) =>
          changes.get(session.id)?.mayBeHidden === true &&
          !seen.includes(session) &&
          mayHaveSeen(who, session, changes.get(session.id)?.lostTo),
      );
      // Those who saw it until then.
      hidden.push(...deleted.filter((session) => sessionPolicy.read(who, session)));
      const pullRequests = seen.flatMap(({ id }) => (changes.get(id)?.pullRequest === true ? [id] : []));
      if (seen.length > 0 || hidden.length > 0)
        send({
          sessions: seen,
          hidden: hidden.map(({ id }) => id),
          ...(pullRequests.length > 0 ? { pullRequests } : {}),
        });
    }
  }
}

/** Those who have the project, and the person or the team that has just lost it. */
function mayHaveSeen(who: Principal, session: Session, lostTo: string | undefined): boolean {
  if (roleInProject(who, projectOf(session)) !== null) return true;
  if (roleIn(who, session.teamId) === null) return false;
  return lostTo !== undefined && (lostTo === session.teamId || lostTo.split(' ').includes(who.user.id));
}

/** A loss of the team goes before one of a person; of several people all are named. */
function joinedLoss(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  return [one, other].find((id) => id.startsWith('team_')) ?? `${one} ${other}`;
}
