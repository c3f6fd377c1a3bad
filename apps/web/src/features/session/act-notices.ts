import { messageOf } from '../../lib/http/api-error';
import type { SessionNotice } from '../../lib/notices/session-notices';

/** What is said of an act from a session's menu that failed: the menu is closed by then. */
export function actFailure({ id, title }: { id: string; title: string }, what: string, error: unknown): SessionNotice {
  return {
    id: `menu/${id}`,
    sessionId: id,
    sessionTitle: title,
    tone: 'bad',
    text: `${what} ${messageOf(error)}`,
    words: null,
  };
}

/** What is said once a session is deleted: where it can be found for a while. */
export function deletedNotice({ id, title }: { id: string; title: string }): SessionNotice {
  return {
    id: 'deleted',
    sessionId: id,
    sessionTitle: title,
    tone: 'info',
    text: 'The session was deleted. It is under “Recently deleted” for 30 days.',
    words: null,
    undoes: 'archive',
  };
}

/** What is said once a session is archived: its page has given way to the project's by then. */
export function archivedNotice({ id, title }: { id: string; title: string }): SessionNotice {
  return {
    id: 'archived',
    sessionId: id,
    sessionTitle: title,
    tone: 'info',
    text: 'The session was archived.',
    words: null,
    undoes: 'archive',
  };
}
