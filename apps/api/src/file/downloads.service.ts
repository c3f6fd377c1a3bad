import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import {
  workspaceLimitMs,
  type DiffQuery,
  type DownloadQuery,
  type Session,
  type WantedDownload,
} from '@chirality/contracts';
import { WorkspaceClient } from '@chirality/messaging';
import {
  abandonRelay,
  BLOBS,
  LOG,
  newRelayId,
  ProblemError,
  readRelay,
  RelayBrokenError,
  type BlobStore,
  type Logger,
} from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { answerAsAttachment } from '../core/transfer/attachment';
import { askWorkspace } from '../worker/ask-workspace';
import { LiveWorkers } from '../worker/live-workers';
import { REPLY_GRACE_MS } from '../worker/reply-grace';

const MEDIA_TYPES = {
  raw: 'application/octet-stream',
  patch: 'text/x-patch; charset=utf-8',
  zip: 'application/zip',
  'tar.gz': 'application/gzip',
} as const;
type Form = keyof typeof MEDIA_TYPES;

/**
 * Files that leave a session. A worker reads and packs them in a sandbox and hands them over by a relay; here they only
 * pass through, and the worker ends when the client leaves.
 */
@Injectable()
export class DownloadsService {
  constructor(
    private readonly sessions: SessionAccess,
    readonly workers: LiveWorkers,
    readonly workspaces: WorkspaceClient,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  async sendFiles(who: Principal, sessionId: string, { path, format }: DownloadQuery, response: Response) {
    const session = await this.sessions.forReading(who, sessionId);
    const name = lastNameOf(path) || nameOf(session);
    if (format === 'raw') return this.send(who, session, { form: 'file', path }, format, name, response);
    await this.send(who, session, { form: 'directory', path, archive: format }, format, `${name}.${format}`, response);
  }

  async sendChanges(
    who: Principal,
    sessionId: string,
    format: 'patch' | 'zip' | 'tar.gz',
    query: DiffQuery,
    response: Response,
  ): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    if (format !== 'patch' && query.commit !== undefined)
      throw new ProblemError('VALIDATION_FAILED', 'A commit is downloaded as a patch. Use format=patch.');
    const name = `${nameOf(session)}-changes.${format}`;
    const wanted: WantedDownload =
      format === 'patch' ? { form: 'patch', query } : { form: 'changes', query, archive: format };
    await this.send(who, session, wanted, format, name, response);
  }

  private async send(
    who: Principal,
    session: Session,
    wanted: WantedDownload,
    form: Form,
    name: string,
    response: Response,
  ) {
    const relay = newRelayId();
    const leave = () => void abandonRelay(this.blobs, relay).catch(() => undefined);
    response.once('close', leave);
    const job = { act: 'open-download', sessionId: session.id, userId: who.user.id, relay, wanted } as const;
    const { bytes } = await askWorkspace(this, job, workspaceLimitMs(job.act) + REPLY_GRACE_MS).catch((error) => {
      // What was refused never begins; a worker that was only late may.
      if (!isUnanswered(error)) response.off('close', leave);
      throw error;
    });
    if (response.closed) return;
    response.off('close', leave);
    answerAsAttachment(response, name, MEDIA_TYPES[form]);
    if (bytes !== null) response.setHeader('content-length', bytes);
    const passing = bytes === null ? [] : [exactly(bytes)];
    await pipeline([readRelay(this.blobs, relay), ...passing, response]).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      if (!(error instanceof RelayBrokenError)) throw error;
      // The answer is cut, so that no client takes it for whole.
      this.log.warn({ err: error, session: session.id }, 'download.cut');
      response.destroy();
    });
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'WORKSPACE_UNAVAILABLE';
}

/** The file was shorter by the time that it was read: then the answer is not the file. */
function exactly(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen += chunk.length;
      done(null, chunk);
    },
    flush: (done) => done(seen === bytes ? null : new RelayBrokenError('the file changed while it was read')),
  });
}

function lastNameOf(path: string): string {
  return path.split('/').findLast((name) => name !== '' && name !== '.') ?? '';
}

function nameOf({ title, id }: Session): string {
  return title?.trim() || id;
}
