import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import type { McpSessionRow, McpSubscriptionRow } from '../generated/rows';

/** A session of the MCP protocol: of one person, with what their program can do. */
export interface McpSession {
  id: string;
  userId: string;
  opensPages: boolean;
}

export interface McpSubscription {
  uri: string;
  /** Null for the list of sessions. */
  sessionId: string | null;
  /** What is later is announced. */
  sinceEventId: number;
}

/** Since a program last asked. */
const KEPT = "interval '24 hours'";
const SEEN_EVERY = "interval '1 minute'";
const MAX_SESSIONS = 200;
const SWEPT_AT_ONCE = 100;
/** Of one session; one more pushes none out. */
export const MAX_MCP_SUBSCRIPTIONS = 50;

/** Where programs that speak MCP have their place, for every api node. */
export class McpSessionRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** Takes with it what is over, and the oldest of a person who has more than 200. */
  async create(
    session: McpSession & { familyId: string; teamId: string | null; client: { name: string; version: string } },
  ): Promise<void> {
    const { pool } = this.database;
    await pool.query(
      `INSERT INTO mcp_session (id, user_id, family_id, team_id, client_name, client_version, opens_pages)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        session.id,
        session.userId,
        session.familyId,
        session.teamId,
        storableText(session.client.name),
        storableText(session.client.version),
        session.opensPages,
      ],
    );
    await pool.query(
      `DELETE FROM mcp_session WHERE id IN (
         SELECT id FROM mcp_session WHERE last_seen_at < now() - ${KEPT} LIMIT ${SWEPT_AT_ONCE})
       OR id IN (SELECT id FROM mcp_session WHERE user_id = $1 ORDER BY last_seen_at DESC OFFSET ${MAX_SESSIONS})`,
      [session.userId],
    );
  }

  /** Null for one that is over, unknown, another person's, or begun by another token or sign-in of the same person. */
  async find(id: string, { userId, familyId }: { userId: string; familyId: string }): Promise<McpSession | null> {
    const { rows } = await this.database.pool.query<Pick<McpSessionRow, 'id' | 'user_id' | 'opens_pages'>>(
      `SELECT id, user_id, opens_pages FROM mcp_session
       WHERE id = $1 AND user_id = $2 AND family_id = $3 AND last_seen_at >= now() - ${KEPT}`,
      [id, userId, familyId],
    );
    return rows[0] ? { id: rows[0].id, userId: rows[0].user_id, opensPages: rows[0].opens_pages } : null;
  }

  /** Keeps it for another day; written at most once a minute. */
  async noteUse(id: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE mcp_session SET last_seen_at = now() WHERE id = $1 AND last_seen_at < now() - ${SEEN_EVERY}`,
      [id],
    );
  }

  async end(id: string): Promise<void> {
    await this.database.pool.query('DELETE FROM mcp_session WHERE id = $1', [id]);
  }

  /** False where it has as many as it may. One that is there stays as it was. */
  async subscribe(id: string, { uri, sessionId, sinceEventId }: McpSubscription): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `INSERT INTO mcp_subscription (mcp_session_id, uri, session_id, since_event_id)
       SELECT $1, $2, $3, $4
       WHERE (SELECT count(*) FROM mcp_subscription WHERE mcp_session_id = $1 AND uri <> $2) < ${MAX_MCP_SUBSCRIPTIONS}
       ON CONFLICT (mcp_session_id, uri) DO UPDATE SET uri = excluded.uri`,
      [id, uri, sessionId, sinceEventId],
    );
    return rowCount === 1;
  }

  async unsubscribe(id: string, uri: string): Promise<void> {
    await this.database.pool.query('DELETE FROM mcp_subscription WHERE mcp_session_id = $1 AND uri = $2', [id, uri]);
  }

  /** Of several MCP sessions, by id. One that is gone itself is absent. */
  async subscriptionsOf(ids: readonly string[]): Promise<Map<string, McpSubscription[]>> {
    const { rows } = await this.database.pool.query<
      Pick<McpSessionRow, 'id'> & {
        [K in keyof Pick<McpSubscriptionRow, 'uri' | 'session_id' | 'since_event_id'>]: McpSubscriptionRow[K] | null;
      }
    >(
      `SELECT s.id, sub.uri, sub.session_id, sub.since_event_id FROM mcp_session s
       LEFT JOIN mcp_subscription sub ON sub.mcp_session_id = s.id WHERE s.id = ANY($1)
       ORDER BY sub.created_at, sub.uri`,
      [ids],
    );
    const found = new Map<string, McpSubscription[]>();
    for (const { id, uri, session_id: sessionId, since_event_id: since } of rows) {
      const own = found.get(id) ?? [];
      if (uri !== null) own.push({ uri, sessionId, sinceEventId: Number(since) });
      found.set(id, own);
    }
    return found;
  }
}
