const QUEUED_TURNS = `SELECT id, team_id, author_id, queued_at FROM turn WHERE status = 'queued'`;

/**
 * The queue: every queued turn with its position, 1 for the one that is next. Teams take turns with each other, and
 * the people of a team among themselves; what they have running counts as places already taken, but a turn that waits
 * for a person does not. Claims, and the position that is shown, are chosen by this one text. `queued` may add a turn
 * that is only about to be queued.
 */
export const queueOrderSql = (queued = QUEUED_TURNS) => `
SELECT id, row_number() OVER (ORDER BY team_round, queued_at, id) AS position
FROM (
  SELECT id, queued_at,
    team_live + row_number() OVER (PARTITION BY team_id ORDER BY author_round, queued_at, id) AS team_round
  FROM (
    SELECT waiting.id, waiting.team_id, waiting.queued_at, coalesce(team.live, 0) AS team_live,
      coalesce(author.live, 0)
        + row_number() OVER (PARTITION BY waiting.team_id, waiting.author_id ORDER BY waiting.queued_at, waiting.id) AS author_round
    FROM (${queued}) waiting
    LEFT JOIN (
      SELECT team_id, count(*) AS live FROM turn WHERE status IN ('starting', 'running', 'finishing') GROUP BY team_id
    ) team ON team.team_id = waiting.team_id
    LEFT JOIN (
      SELECT team_id, author_id, count(*) AS live FROM turn WHERE status IN ('starting', 'running', 'finishing') GROUP BY team_id, author_id
    ) author ON author.team_id = waiting.team_id AND author.author_id = waiting.author_id
  ) by_author
) by_team`;

/** The queue with one more turn, given by SQL expressions. */
export const queueOrderWith = (turn: { id: string; teamId: string; authorId: string; queuedAt: string }) =>
  queueOrderSql(`${QUEUED_TURNS} UNION ALL SELECT ${turn.id}, ${turn.teamId}, ${turn.authorId}, ${turn.queuedAt}`);
