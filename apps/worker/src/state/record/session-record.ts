/** What a worker must know of a session to have its copy. */
export interface SessionRecord {
  id: string;
  projectId: string;
  workspace: 'own' | 'shared';
  /** The conversation as Postgres knows it. */
  claudeSessionId: string | null;
}
