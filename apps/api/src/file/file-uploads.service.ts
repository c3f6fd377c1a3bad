import { Inject, Injectable } from '@nestjs/common';
import { FILE_UPLOAD_LIMIT_BYTES, workspaceLimitMs, type WrittenFile } from '@chirality/contracts';
import { WorkspaceClient } from '@chirality/messaging';
import { BLOBS, newRelayId, ProblemError, RELAYS, type BlobStore } from '@chirality/platform';
import type { Request } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { limitedBody } from '../core/transfer/limited-body';
import { SharedWorkspacesService } from '../shared-workspace/shared-workspaces.service';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

/**
 * Takes a file into a session's workspace. The bytes wait in the store; the worker that holds the workspace writes them
 * there under its lock, whole or not at all.
 */
@Injectable()
export class FileUploadsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly shared: SharedWorkspacesService,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
    private readonly audit: AuditTrail,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async take(who: Principal, sessionId: string, path: string, request: Request): Promise<WrittenFile> {
    const session = await this.sessions.forWriting(who, sessionId);
    await this.shared.refuseWhileInUse(who, session);
    const expected = expectedBy(request);
    if (Number(request.headers['content-length'] ?? 0) > FILE_UPLOAD_LIMIT_BYTES) throw tooLarge();
    if (request.headers['content-encoding'] !== undefined || request.readableEnded)
      throw new ProblemError(
        'VALIDATION_FAILED',
        'Send the file itself as the body, uncompressed, as application/octet-stream.',
      );
    const upload = `${RELAYS}/${newRelayId()}`;
    try {
      const key = `${upload}/content`;
      const bytes = await this.store(key, request);
      const job = { act: 'write-file', sessionId: session.id, path, key, bytes, ...expected } as const;
      const asked = askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS);
      const { file } = await asked.catch((error: unknown) => {
        throw refusalOf(error, request);
      });
      await this.audit.note(who, session.teamId, {
        action: 'session:upload',
        object: session.id,
        detail: { path: file.path, bytes },
      });
      return file;
    } finally {
      await this.blobs.delete(upload);
    }
  }

  private async store(key: string, request: Request): Promise<number> {
    try {
      return (
        await this.blobs.put(
          key,
          limitedBody(request, { limitBytes: FILE_UPLOAD_LIMIT_BYTES, tooLarge, noun: 'file' }),
          { mayBeLost: true },
        )
      ).bytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      throw new ProblemError('WORKSPACE_UNAVAILABLE', 'The server is out of space for the file. Contact its operator.');
    }
  }
}

/** `If-None-Match: *` is a condition of the request, which has a status of its kind. */
function refusalOf(error: unknown, { headers }: Request): unknown {
  const isCondition = headers['if-none-match']?.trim() === '*';
  if (!isCondition || !(error instanceof ProblemError) || error.code !== 'FILE_EXISTS') return error;
  return new ProblemError('FILE_CHANGED', error.detail);
}

/** What is there now, as the request says: nothing without a word, the file with that etag, or any with `*`. */
function expectedBy({ headers }: Request): { expected?: string | null } {
  const match = headers['if-match']?.trim();
  if (match === '*') return {};
  if (match !== undefined) return { expected: match.replace(/^"(.*)"$/, '$1') };
  return { expected: null };
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'MESSAGE_TOO_LARGE',
    `A file may have at most ${FILE_UPLOAD_LIMIT_BYTES / 1024 / 1024} MB here. Larger ones come in with the project.`,
  );
}
