/** What a worker must know of a session to have its copy. */
export interface SessionRecord {
  id: string;
  projectId: string;
  /** The shared workspace that has its files; null where it has its own. */
  sharedWorkspaceId: string | null;
  /** The conversation as Postgres knows it. */
  claudeSessionId: string | null;
}

/**
 * What has the session's files: the session itself, or the workspace that it shares. A shared workspace is kept, stored
 * and handed over exactly as a session is, one without a conversation; the session then has only its conversation.
 */
export function filesOf(session: SessionRecord): SessionRecord {
  const { projectId, sharedWorkspaceId } = session;
  return sharedWorkspaceId === null
    ? session
    : { id: sharedWorkspaceId, projectId, sharedWorkspaceId: null, claudeSessionId: null };
}
