import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ATTACHMENT_LIMIT_BYTES, type Attachment, type Session } from '@chirality/contracts';
import { AttachmentRepository } from '@chirality/database';
import { attachmentKey, attachmentName, maskText, newId } from '@chirality/domain';
import { BLOBS, ProblemError, type BlobStore } from '@chirality/platform';
import type { Request, Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { answerAsAttachment } from '../core/transfer/attachment';
import { limitedBody } from '../core/transfer/limited-body';
import { problems } from '../core/problem/problems';
import { contentOf, LOOKED_AT_BYTES } from './attachment-content';

/** More in one session than a person is likely to prepare: what is not sent takes room for days. */
const MAX_UNSENT = 100;

/**
 * Files for messages. Who uploads one sees it alone until it goes with a message; then everyone does who reads the
 * session.
 */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly attachments: AttachmentRepository,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async take(who: Principal, sessionId: string, name: string, request: Request): Promise<Attachment> {
    const session = await this.sessions.forWriting(who, sessionId);
    if (Number(request.headers['content-length'] ?? 0) > ATTACHMENT_LIMIT_BYTES) throw tooLarge();
    if (request.headers['content-encoding'] !== undefined)
      throw new ProblemError('ATTACHMENT_UNSUPPORTED', 'Send the file itself as the body, without a content encoding.');
    const id = newId('attachment');
    const upload = { id, sessionId: session.id, userId: who.user.id, name: attachmentName(maskText(name)) };
    if (!(await this.attachments.begin(upload, MAX_UNSENT)))
      throw new ProblemError(
        'CONFLICT',
        `You have ${MAX_UNSENT} files in this session that were not sent. Send or remove some of them first.`,
      );
    try {
      return await this.store(session, id, request);
    } catch (error) {
      // What a database that is away keeps is cleaned up later.
      await this.discard(session, who.user.id, id).catch(() => undefined);
      throw error;
    }
  }

  /** A browser keeps it as a file and never shows it as a page. */
  async send(who: Principal, sessionId: string, attachmentId: string, response: Response): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    const attachment = await this.attachments.find(session.id, who.user.id, knownId('attachment', attachmentId));
    if (!attachment) throw problems.notFound('attachment');
    const content = await this.blobs.get(attachmentKey(session.id, attachment.id));
    if (!content) throw problems.notFound('attachment');
    const isKnown = attachment.kind !== 'file';
    answerAsAttachment(response, attachment.name, isKnown ? attachment.mediaType : 'application/octet-stream');
    response.setHeader('content-length', String(attachment.bytes));
    response.setHeader('content-security-policy', "default-src 'none'; sandbox");
    await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }

  async remove(who: Principal, sessionId: string, attachmentId: string): Promise<void> {
    const session = await this.sessions.forActing(who, sessionId);
    const outcome = await this.discard(session, who.user.id, knownId('attachment', attachmentId));
    if (outcome === null) throw problems.notFound('attachment');
    if (outcome === 'sent') throw new ProblemError('CONFLICT', 'This file was sent with a message, and stays with it.');
  }

  /** Those that a message names, in its order; throws for one that the person may not send here. */
  async forMessage(who: Principal, session: Session, ids: readonly string[]): Promise<Attachment[]> {
    if (ids.length === 0) return [];
    const found = await this.attachments.listFor(session.id, who.user.id, ids);
    if (found.length < ids.length) throw attachmentGone();
    return found;
  }

  private async store(session: Session, id: string, request: Request): Promise<Attachment> {
    const head = new Head();
    const body = limitedBody(request, { limitBytes: ATTACHMENT_LIMIT_BYTES, tooLarge, noun: 'file' });
    body.once('error', (error) => head.destroy(error));
    const { bytes } = await this.blobs.put(attachmentKey(session.id, id), body.pipe(head)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new ProblemError(
          'WORKSPACE_UNAVAILABLE',
          'The server is out of space for the file. Contact its operator.',
        );
      throw error;
    });
    if (bytes === 0) throw new ProblemError('ATTACHMENT_UNSUPPORTED', 'The file is empty. Choose another one.');
    const attachment = await this.attachments.complete(id, { ...(await contentOf(head.bytes)), bytes });
    if (!attachment) throw attachmentGone();
    return attachment;
  }

  private async discard(session: Session, userId: string, id: string): Promise<'removed' | 'sent' | null> {
    const outcome = await this.attachments.beginRemoval(session.id, userId, id);
    if (outcome !== 'removed') return outcome;
    await this.blobs.delete(attachmentKey(session.id, id));
    await this.attachments.completeRemoval(id);
    return outcome;
  }
}

/** Keeps the beginning of what passes. */
class Head extends Transform {
  bytes = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    const missing = LOOKED_AT_BYTES - this.bytes.length;
    if (missing > 0) this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, missing)]);
    done(null, chunk);
  }
}

export function attachmentGone(): ProblemError {
  return problems.notFound('attachment');
}

function tooLarge(): ProblemError {
  return new ProblemError(
    'ATTACHMENT_TOO_LARGE',
    `A file may have at most ${ATTACHMENT_LIMIT_BYTES / 1024 / 1024} MB. Make it smaller, or add it to the project’s files.`,
  );
}
