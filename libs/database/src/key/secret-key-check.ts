import { SecretBoxError, type SecretBox } from '@chirality/platform';
import type { Database } from '../connection/database';

const ID = 'installation';
const SEAL = 'secret-key-check';

/** `unchecked`: no process that may make the value has started on this database yet. */
type SecretKeyVerdict = 'same' | 'other' | 'unchecked';

/**
 * Holds the secret key of this process against the one that the database was set up with, by a value that it sealed.
 */
export class SecretKeyCheck {
  constructor(
    private readonly database: Pick<Database, 'pool' | 'prisma'>,
    private readonly box: Pick<SecretBox, 'seal' | 'open' | 'isOutdated'>,
  ) {}

  /** Changes nothing. */
  async verify(): Promise<SecretKeyVerdict> {
    const sealed = await this.read();
    if (sealed === null) return 'unchecked';
    return this.opens(sealed) ? 'same' : 'other';
  }

  /**
   * Like `verify`, and makes the value where there is none, or seals it again where an earlier key of this process did.
   * With `replace` this key takes the place of a lost one. Several processes may call it at once.
   */
  async establish({ replace = false }: { replace?: boolean } = {}): Promise<Exclude<SecretKeyVerdict, 'unchecked'>> {
    await this.database.pool.query(
      'INSERT INTO secret_key_check (id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      [ID, this.seal()],
    );
    const sealed = await this.read();
    if (sealed === null) return 'same';
    const opens = this.opens(sealed);
    if (!opens && !replace) return 'other';
    if (!opens || this.box.isOutdated(sealed))
      await this.database.pool.query('UPDATE secret_key_check SET sealed = $2 WHERE id = $1 AND sealed = $3', [
        ID,
        this.seal(),
        sealed,
      ]);
    return 'same';
  }

  private seal(): Buffer {
    return this.box.seal(ID, SEAL);
  }

  private opens(sealed: Buffer): boolean {
    try {
      this.box.open(sealed, SEAL);
      return true;
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      return false;
    }
  }

  private async read(): Promise<Buffer | null> {
    const row = await this.database.prisma.secretKeyCheck.findUnique({ where: { id: ID } });
    return row && Buffer.from(row.sealed);
  }
}

/** What a process with another key says, and what can be done. */
export const OTHER_SECRET_KEY =
  'This process has another secret key than the one that encrypted what is in the database: set CHIRALITY_SECRET_KEY to that key (or put secret.key back into the data directory), name it in CHIRALITY_PREVIOUS_SECRET_KEYS after a change, or, if it is lost, start once with CHIRALITY_SECRET_KEY_LOST=1 and enter stored keys and variables again';
