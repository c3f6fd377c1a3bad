/**
 * Where files come from: the workspace of a session, or the commit that a project's sessions start from. `revision`
 * differs after each change that we heard of, and asks again.
 */
export type FileSource = { of: 'sessions' | 'projects'; id: string; revision: string };
