import type { PresencePerson } from '@chirality/contracts';
import { mayAnswerIn } from '@chirality/domain';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { PresenceRow, ProjectMemberRow, SessionRow } from '../generated/rows';
import { PROJECT_ACCESS } from '../project/project-access.sql';

interface NewPresence {
  clientId: string;
  /** Null: the app is open, whatever it shows. */
  sessionId: string | null;
  userId: string;
  userName: string;
  human: boolean;
  typingUntil: Date | null;
}

interface PersonRow extends Pick<PresenceRow, 'user_id' | 'user_name'> {
  session_id: string;
  typing: boolean;
}

type AnswererRow = Pick<PresenceRow, 'user_id'> &
  Pick<SessionRow, 'owner_id' | 'visibility'> & { role: ProjectMemberRow['role'] | null };

/**
 * Who is there and watches what: a row per connection and per session that it watches, with a lease: one without
 * renewal disappears on every node.
 */
export class PresenceRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  async put(row: NewPresence, leaseMs: number): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO presence (client_id, session_id, user_id, user_name, human, typing_until, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 millisecond')
       ON CONFLICT (client_id) DO UPDATE SET session_id = EXCLUDED.session_id, user_id = EXCLUDED.user_id,
         user_name = EXCLUDED.user_name,
         human = EXCLUDED.human, typing_until = EXCLUDED.typing_until, expires_at = EXCLUDED.expires_at`,
      [row.clientId, row.sessionId, row.userId, storableText(row.userName), row.human, row.typingUntil, leaseMs],
    );
  }

  async renew(clientIds: string[], leaseMs: number): Promise<void> {
    await this.database.pool.query(
      `UPDATE presence SET expires_at = now() + $2 * interval '1 millisecond' WHERE client_id = ANY($1)`,
      [clientIds, leaseMs],
    );
  }

  async remove(clientIds: string[]): Promise<void> {
    await this.database.prisma.presence.deleteMany({ where: { clientId: { in: clientIds } } });
  }

  /**
   * One entry per person, by name; a person types when one of their clients does. Sessions without people are absent.
   */
  async peopleOf(sessionIds: string[]): Promise<Map<string, PresencePerson[]>> {
    const { rows } = await this.database.pool.query<PersonRow>(
      `SELECT session_id, user_id, max(user_name) AS user_name, bool_or(coalesce(typing_until > now(), false)) AS typing
       FROM presence WHERE session_id = ANY($1) AND expires_at > now() GROUP BY session_id, user_id
         ORDER BY session_id, max(user_name), user_id`,
      [sessionIds],
    );
    const people = new Map<string, PresencePerson[]>();
    for (const row of rows) {
      const list = people.get(row.session_id) ?? [];
      people.set(row.session_id, [...list, { userId: row.user_id, name: row.user_name, typing: row.typing }]);
    }
    return people;
  }

  /**
   * How many different people have the app open, in this session or anywhere else, who may answer this session's
   * questions.
   */
  async countAnswerers(sessionId: string): Promise<number> {
    const { rows } = await this.database.pool.query<AnswererRow>({
      name: 'count_answerers',
      text: `SELECT DISTINCT p.user_id, access.role, s.owner_id, s.visibility
       FROM session s JOIN ${PROJECT_ACCESS} access ON access.project_id = s.project_id
         JOIN presence p ON p.user_id = access.user_id
       WHERE s.id = $1 AND p.human AND p.expires_at > now()`,
      values: [sessionId],
    });
    return rows.filter((row) =>
      mayAnswerIn({
        role: row.role,
        identityClass: 'human',
        ownsSession: row.owner_id === row.user_id,
        visibility: row.visibility,
      }),
    ).length;
  }
}
