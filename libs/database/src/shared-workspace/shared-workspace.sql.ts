import type { Tx } from '../connection/database';

/**
 * Of `shared_workspace w`: the highest fence of a turn in it that had a process and is over, as `LAST_RUN_FENCE` is of
 * a session.
 */
export const LAST_RUN_IN_WORKSPACE = `(SELECT max(ran.workspace_fence) FROM turn ran
  WHERE ran.shared_workspace_id = w.id AND ran.launch IS NOT NULL AND ran.active_session_id IS NULL)`;

/** Of `shared_workspace w`: all that was done in it is in the blob store. */
export const WORKSPACE_IS_STORED = `(NOT w.has_unstored_act AND coalesce(${LAST_RUN_IN_WORKSPACE}, 0) <= coalesce(
  substring(w.state_key FROM '^workspaces/[^/]+/([0-9]+)/')::bigint, 0))`;

/**
 * The shared workspace of the project's branch as it is now, made if there is none. One that was made before any worker
 * had seen the project's files gets the name of their branch here.
 */
export async function joinSharedWorkspace(
  tx: Tx,
  { id, projectId }: { id: string; projectId: string },
): Promise<string> {
  // One at a time, and the branch stays what it is meanwhile.
  await tx.query('SELECT 1 FROM project WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  await tx.query(
    `UPDATE shared_workspace w SET branch = p.base_branch FROM project p
     WHERE p.id = $1 AND w.project_id = p.id AND w.branch = '' AND p.base_branch IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM shared_workspace named WHERE named.project_id = p.id AND named.branch = p.base_branch)`,
    [projectId],
  );
  await tx.query(
    `INSERT INTO shared_workspace (id, project_id, branch) SELECT $1, p.id, coalesce(p.base_branch, '') FROM project p
     WHERE p.id = $2 ON CONFLICT (project_id, branch) DO NOTHING`,
    [id, projectId],
  );
  const { rows } = await tx.query<{ id: string }>(
    `SELECT w.id FROM shared_workspace w JOIN project p ON p.id = w.project_id
     WHERE p.id = $1 AND w.branch = coalesce(p.base_branch, '')`,
    [projectId],
  );
  const [row] = rows;
  if (!row) throw new Error(`no project ${projectId}`);
  return row.id;
}
