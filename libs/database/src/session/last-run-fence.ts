/**
 * Of `session s`: the highest fence of a turn that had a process and is over. `launch` is written when its program announces
 * itself, before it hears from the model, or else with the turn's end: a turn without a process counts for nothing, nor
 * does one that was lost before its program could touch anything.
 */
export const LAST_RUN_FENCE =
  '(SELECT max(ran.fence) FROM turn ran WHERE ran.session_id = s.id AND ran.launch IS NOT NULL AND ran.active_session_id IS NULL)';
