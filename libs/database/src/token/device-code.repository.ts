import type { Command, DeviceRequest, TokenClaims } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ApiTokenRow, DeviceCodeRow } from '../generated/rows';
import { LOCK_TOKENS_SQL } from './api-token.repository';

interface NewDeviceCode {
  id: string;
  secretHash: string;
  userCodeHash: string;
  clientName: string;
  address: string | null;
  userAgent: string | null;
  commands: readonly Command[] | null;
  lifetimeDays: number;
}

/** What a program that asks finds. */
type PollOutcome =
  | { outcome: 'pending'; intervalSeconds: number; isTooSoon: boolean }
  | { outcome: 'allowed' }
  | { outcome: 'denied' }
  | { outcome: 'gone' };

/** A token that came of a code, and in whose name. */
interface RedeemedToken {
  tokenId: string;
  userId: string;
  userName: string;
  teamId: string;
  clientName: string;
  address: string | null;
}

type RedeemedRow = Pick<ApiTokenRow, 'user_id' | 'team_id'> &
  Pick<DeviceCodeRow, 'client_name' | 'address'> & { user_name: string };

type NewDeviceToken = { id: string; secretHash: string; claims: TokenClaims };

/** How long a person has to type the code. */
export const DEVICE_CODE_SECONDS = 600;
const SLOWER_BY_SECONDS = 5;
const IS_OPEN = 'expires_at > now() AND decided_at IS NULL';

const REDEEM_SQL = `WITH used AS (
   UPDATE device_code d SET redeemed_at = now() FROM "user" u, membership m
   WHERE d.secret_hash = $1 AND d.team_id IS NOT NULL AND d.redeemed_at IS NULL AND d.expires_at > now()
     AND u.id = d.decided_by_id AND u.credentials_valid_from <= d.decided_at
     AND m.user_id = u.id AND m.team_id = d.team_id AND m.role <> 'viewer' AND m.joined_at <= d.decided_at
   RETURNING d.client_name, d.address, d.team_id, d.lifetime_days, u.id AS user_id, u.name AS user_name
 ), made AS (
   INSERT INTO api_token (id, team_id, user_id, name, secret_hash, identity_class, claims, may_mint,
    expires_at, made_by_user_id)
   SELECT $2, team_id, user_id, client_name, $3, 'human', $4::json, false,
     now() + lifetime_days * interval '1 day', user_id FROM used
 )
 SELECT client_name, address, team_id, user_id, user_name FROM used`;

/** Programs that wait for a person. Both codes are known by their hashes only. */
export class DeviceCodeRepository {
  constructor(private readonly database: Pick<Database, 'pool'>) {}

  /** False where another program has the same short code just now: make another one. */
  async create(code: NewDeviceCode): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      `INSERT INTO device_code (id, secret_hash, user_code_hash, client_name, address, user_agent, commands,
         lifetime_days, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second') ON CONFLICT DO NOTHING`,
      [
        code.id,
        code.secretHash,
        code.userCodeHash,
        storableText(code.clientName),
        code.address,
        code.userAgent === null ? null : storableText(code.userAgent),
        code.commands === null ? null : JSON.stringify(code.commands),
        code.lifetimeDays,
        DEVICE_CODE_SECONDS,
      ],
    );
    return rowCount === 1;
  }

  /** The request that waits for an answer; null for a code that is unknown, answered or too old. */
  async findOpen(userCodeHash: string): Promise<DeviceRequest | null> {
    const { rows } = await this.database.pool.query<DeviceCodeRow>(
      `SELECT * FROM device_code WHERE user_code_hash = $1 AND ${IS_OPEN}`,
      [userCodeHash],
    );
    return rows[0] ? requestFromRow(rows[0]) : null;
  }

  /** Answers it, once: null where it was answered meanwhile, or is too old. A denial has no team. */
  async decide(userCodeHash: string, userId: string, teamId: string | null): Promise<DeviceRequest | null> {
    const { rows } = await this.database.pool.query<DeviceCodeRow>(
      `UPDATE device_code SET decided_by_id = $2, decided_at = now(), team_id = $3
       WHERE user_code_hash = $1 AND ${IS_OPEN} RETURNING *`,
      [userCodeHash, userId, teamId],
    );
    return rows[0] ? requestFromRow(rows[0]) : null;
  }

  /** Notes that the program asked. One that asks sooner than it was asked to has to wait longer from now on. */
  async poll(secretHash: string): Promise<PollOutcome> {
    const { rows } = await this.database.pool.query<
      Pick<DeviceCodeRow, 'interval_seconds' | 'decided_at' | 'team_id'> & { is_too_soon: boolean }
    >(
      `WITH asked AS (
         SELECT id, coalesce(decided_at IS NULL AND polled_at > now() - interval_seconds * interval '1 second'
           + interval '500 milliseconds', false) AS is_too_soon
         FROM device_code WHERE secret_hash = $1 AND expires_at > now() AND redeemed_at IS NULL FOR UPDATE
       )
       UPDATE device_code d SET polled_at = now(),
         interval_seconds = least(60, d.interval_seconds + CASE WHEN asked.is_too_soon THEN $2::int ELSE 0 END)
       FROM asked WHERE d.id = asked.id RETURNING d.interval_seconds, d.decided_at, d.team_id, asked.is_too_soon`,
      [secretHash, SLOWER_BY_SECONDS],
    );
    const [row] = rows;
    if (!row) return { outcome: 'gone' };
    if (row.decided_at === null)
      return { outcome: 'pending', intervalSeconds: row.interval_seconds, isTooSoon: row.is_too_soon };
    return { outcome: row.team_id === null ? 'denied' : 'allowed' };
  }

  /** What was asked for; null for a code that no longer counts. */
  async findBySecret(secretHash: string): Promise<DeviceRequest | null> {
    const { rows } = await this.database.pool.query<DeviceCodeRow>(
      'SELECT * FROM device_code WHERE secret_hash = $1 AND expires_at > now()',
      [secretHash],
    );
    return rows[0] ? requestFromRow(rows[0]) : null;
  }

  /**
   * Makes the token of a code that was allowed, once, in one statement. Null where that happened already, or where the
   * person may no longer give one: they left the team, became a viewer, or set another password since.
   */
  redeem(secretHash: string, token: NewDeviceToken): Promise<RedeemedToken | null> {
    return inTransaction(this.database.pool, async (tx) => {
      const decided = await tx.query<Pick<DeviceCodeRow, 'decided_by_id'>>(
        'SELECT decided_by_id FROM device_code WHERE secret_hash = $1',
        [secretHash],
      );
      // A revocation of all that is the person's finds this token, or has changed what is looked at below.
      await tx.query(LOCK_TOKENS_SQL, [decided.rows[0]?.decided_by_id ?? '']);
      const { rows } = await tx.query<RedeemedRow>(REDEEM_SQL, [
        secretHash,
        token.id,
        token.secretHash,
        JSON.stringify(token.claims),
      ]);
      const [row] = rows;
      if (!row) return null;
      const { user_id: userId, user_name: userName, team_id: teamId, client_name: clientName, address } = row;
      return { tokenId: token.id, userId, userName, teamId, clientName, address };
    });
  }
}

function requestFromRow(row: DeviceCodeRow): DeviceRequest {
  return {
    id: row.id,
    clientName: row.client_name,
    address: row.address,
    userAgent: row.user_agent,
    commands: row.commands,
    lifetimeDays: row.lifetime_days,
    requestedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
