/**
 * Of `session s`: the highest fence of a turn that had a process and is over. `launch` is written when a turn gets its
 * process, so a turn that failed before counts for nothing.
 */
export const LAST_RUN_FENCE = '(SELECT max(ran.fence) FROM turn ran WHERE ran.session_id = s.id AND ran.launch IS NOT NULL AND ran.active_session_id IS NULL)';
