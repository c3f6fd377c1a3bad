import type { PersonaApproval } from '@chirality/contracts';
import type { Database } from '../connection/database';
import { storableText } from '../connection/storable-text';
import { inTransaction } from '../connection/transaction';
import type { ProjectPersonaScanRow } from '../generated/rows';
import { keepPersonaTexts, personaTextHash } from './persona-text.repository';

/** One file of a project's `agents` directory: its text, or why it cannot be one. */
export type ReadPersonaFile =
  { file: string; text: string; refusal: null } | { file: string; text: null; refusal: string };
export type ScannedPersonas = { bundleKey: string; commit: string; files: ReadPersonaFile[] };

type StoredFile = { file: string; hash: string | null; refusal: string | null };
export type KeyedApproval = PersonaApproval & { key: string; contentHash: string };

/** What was read of projects' persona files, and which of them admins approved. */
export class ProjectPersonaRepository {
  constructor(private readonly database: Pick<Database, 'pool' | 'prisma'>) {}

  /** What was read last, of whatever bundle; null when nothing was. */
  async findScan(projectId: string): Promise<ScannedPersonas | null> {
    const { rows } = await this.database.pool.query<
      Pick<ProjectPersonaScanRow, 'bundle_key' | 'base_commit' | 'files'> & { texts: Record<string, string> | null }
    >(
      `SELECT s.bundle_key, s.base_commit, s.files,
         (SELECT json_object_agg(x.hash, x.text) FROM persona_text x
          WHERE x.hash IN (SELECT f->>'hash' FROM json_array_elements(s.files::json) f)) AS texts
       FROM project_persona_scan s WHERE s.project_id = $1`,
      [projectId],
    );
    const row = rows[0];
    if (!row) return null;
    const files = (JSON.parse(row.files) as StoredFile[]).map(({ file, hash, refusal }): ReadPersonaFile => {
      const text = hash === null ? undefined : row.texts?.[hash];
      return text === undefined
        ? { file, text: null, refusal: refusal ?? 'its text no longer exists' }
        : { file, text, refusal: null };
    });
    return { bundleKey: row.bundle_key, commit: row.base_commit, files };
  }

  /** In place of what was read before. Texts hold no NUL. */
  async keepScan(projectId: string, { bundleKey, commit, files }: ScannedPersonas): Promise<void> {
    const stored = files.map(({ file, text, refusal }): StoredFile => ({
      file: storableText(file),
      hash: text === null ? null : personaTextHash(text),
      refusal,
    }));
    await inTransaction(this.database.pool, async (tx) => {
      await keepPersonaTexts(
        tx,
        files.flatMap(({ text }) => (text === null ? [] : [text])),
      );
      await tx.query(
        `INSERT INTO project_persona_scan (project_id, bundle_key, base_commit, files, read_at) VALUES ($1, $2, $3, $4,
          now())
         ON CONFLICT (project_id) DO UPDATE SET bundle_key = EXCLUDED.bundle_key, base_commit = EXCLUDED.base_commit,
           files = EXCLUDED.files, read_at = now()`,
        [projectId, bundleKey, commit, JSON.stringify(stored)],
      );
    });
  }

  /** All that were ever given for the project and not taken back; latest first. */
  async listApprovals(projectId: string): Promise<KeyedApproval[]> {
    const rows = await this.database.prisma.personaApproval.findMany({
      where: { projectId },
      orderBy: [{ approvedAt: 'desc' }, { contentHash: 'asc' }],
    });
    return rows.map((row) => ({
      key: row.key,
      contentHash: row.contentHash,
      userId: row.approvedById,
      name: row.approvedByName,
      at: row.approvedAt.toISOString(),
    }));
  }

  /** False when that text was approved before; who did so first stays. */
  async approve(
    projectId: string,
    approval: { key: string; contentHash: string; by: { userId: string; name: string } },
  ): Promise<boolean> {
    const { rowCount } = await this.database.pool.query(
      'INSERT INTO persona_approval (project_id, key, content_hash, approved_by_id, approved_by_name) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
      [projectId, approval.key, approval.contentHash, approval.by.userId, storableText(approval.by.name)],
    );
    return rowCount === 1;
  }

  /** Takes back every approval of that key, of earlier texts too. False when there was none. */
  async revoke(projectId: string, key: string): Promise<boolean> {
    const { count } = await this.database.prisma.personaApproval.deleteMany({
      where: { projectId, key: storableText(key) },
    });
    return count > 0;
  }
}
