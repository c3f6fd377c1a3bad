import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { TurnRepository } from '@chirality/database';
import { BLOBS, type BlobStore } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { AuditTrail } from '../audit/audit-trail';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';

const FILES = {
  prompt: { blob: 'prompt.md', type: 'text/markdown; charset=utf-8' },
  raw: { blob: 'raw.ndjson', type: 'application/x-ndjson' },
  stderr: { blob: 'stderr.log', type: 'text/plain; charset=utf-8' },
} as const;
export type TurnFileName = keyof typeof FILES;

/** What is kept of a turn unmasked. Who read it is recorded. */
@Injectable()
export class TurnFilesService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    private readonly audit: AuditTrail,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async send(who: Principal, sessionId: string, turnId: string, name: TurnFileName, response: Response): Promise<void> {
    const session = await this.sessions.forRawReading(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    const { blob, type } = FILES[name];
    const content = await this.blobs.get(`turns/${turn.id}/${blob}`);
    if (!content) throw problems.notFound('file of this turn');
    await this.audit.note(who, session.teamId, {
      action: `turn:read-${name}`,
      object: turn.id,
      detail: { sessionId: session.id },
    });
    response.setHeader('content-type', type);
    response.setHeader('content-disposition', `attachment; filename="${turn.id}-${blob}"`);
    response.setHeader('cache-control', 'no-store');
    await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
}
