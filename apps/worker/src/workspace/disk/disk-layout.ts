import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isId } from '@chirality/contracts';

/** Host directories of one session's copy. */
export interface SessionDirectories {
  dir: string;
  workspace: string;
  config: string;
  /** For what the worker itself hands to a turn; never mounted writable. */
  tmp: string;
  /** Files that came with messages; mounted read-only. */
  attachments: string;
  /** The worker's view of the files; no agent sees it. */
  snapshot: string;
}

/**
 * Where things are in a worker's data directory. Locks lie apart from what they guard: a copy may be replaced while an
 * old process still holds its lock.
 */
export class DiskLayout {
  constructor(readonly dataDir: string) {}

  get projects(): string {
    return join(this.dataDir, 'projects');
  }

  get sessions(): string {
    return join(this.dataDir, 'sessions');
  }

  get shared(): string {
    return join(this.dataDir, 'shared');
  }

  get trash(): string {
    return join(this.dataDir, 'trash');
  }

  get locks(): string {
    return join(this.dataDir, 'locks');
  }

  /** Of a shared workspace (`wsp_…`) too, whose `config` and `attachments` no session uses. */
  session(sessionId: string): SessionDirectories {
    return directoriesIn(join(isId('sharedWorkspace', sessionId) ? this.shared : this.sessions, sessionId));
  }

  /** The lock file of a session (`sess_…`), or of a shared workspace (`wsp_…`). */
  lockFile(ownerId: string): string {
    return join(this.locks, `${ownerId}.lock`);
  }

  /** A new directory beside `target`, to be built in and renamed to it. */
  aside(target: 'sessions' | 'shared'): SessionDirectories {
    return directoriesIn(join(this[target], `${ASIDE_PREFIX}${randomBytes(12).toString('hex')}`));
  }
}

/** No id begins with a dot. */
export const ASIDE_PREFIX = '.build-';

function directoriesIn(dir: string): SessionDirectories {
  return {
    dir,
    workspace: join(dir, 'workspace'),
    config: join(dir, 'config'),
    tmp: join(dir, 'tmp'),
    attachments: join(dir, 'attachments'),
    snapshot: join(dir, 'snapshot'),
  };
}
