/**
 * Replaces the trigger secrets that the user `$1` made by ones that no one has, in the team `$2` or, for null, in all.
 * The schedules keep their times.
 */
export const VOID_TRIGGERS_SQL = `UPDATE schedule SET
    trigger_generation = trigger_generation + 1, trigger_made_by_id = NULL
  WHERE trigger_made_by_id = $1 AND ($2::text IS NULL OR team_id = $2)`;
