/**
 * Where files come from: the workspace of a session, or the commit that a project's sessions start from. `revision`
 * differs after each change that we heard of, and asks again.
 */
export type FileSource = { of: 'sessions' | 'projects'; id: string; revision: string };

/** A worker may first have to build the project's repository. */
const PROJECT_MS = 60_000;

/** The address of a source's files, the key under which answers are kept, and how long an answer may take. */
export function sourceRequest({ of, id }: FileSource): {
  url: string;
  key: readonly [string, string];
  options: { timeoutMs?: number };
} {
  return { url: `/v1/${of}/${id}/files`, key: [of, id], options: of === 'projects' ? { timeoutMs: PROJECT_MS } : {} };
}
