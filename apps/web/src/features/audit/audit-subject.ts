import { isId, type AuditEntry } from '@chirality/contracts';

type Named = { id: string; name: string };
type Titled = { id: string; projectId: string; title: string };
export type Places = { projects: readonly Named[]; sessions: readonly Titled[] };

/** A name is null where the lists do not have it: it is archived, older than they go, or not shared with the reader. */
export type AuditSubject = {
  project: { id: string; name: string | null } | null;
  session: { id: string; title: string | null } | null;
};

function idIn(kind: 'project' | 'session', object: string, named: unknown): string | null {
  if (isId(kind, object)) return object;
  return typeof named === 'string' && isId(kind, named) ? named : null;
}

/** The project and the session that an act was about, by the names that the page has anyway. */
export function auditSubject({ object, detail }: Pick<AuditEntry, 'object' | 'detail'>, places: Places): AuditSubject {
  const sessionId = idIn('session', object, detail['sessionId']);
  const session = places.sessions.find(({ id }) => id === sessionId);
  const projectId = session?.projectId ?? idIn('project', object, detail['projectId']);
  const project = places.projects.find(({ id }) => id === projectId);
  return {
    project: projectId === null ? null : { id: projectId, name: project?.name ?? null },
    session: sessionId === null ? null : { id: sessionId, title: session?.title ?? null },
  };
}
