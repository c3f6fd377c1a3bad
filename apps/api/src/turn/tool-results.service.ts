import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { TurnRepository } from '@chirality/database';
import { toolResultKey } from '@chirality/domain';
import { BLOBS, type BlobStore } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { knownId } from '../core/http/known-id';
import { problems } from '../core/problem/problems';

/**
 * Results of tools that were too large for their event. They are masked like the event, so who reads that reads them.
 */
@Injectable()
export class ToolResultsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly turns: TurnRepository,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  async send(who: Principal, sessionId: string, turnId: string, toolUseId: string, response: Response): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    const turn = await this.turns.find(session.id, knownId('turn', turnId));
    if (!turn) throw problems.notFound('turn');
    const content = await this.blobs.get(toolResultKey(turn.id, toolUseId));
    if (!content) throw problems.notFound('result of this tool call');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
  }
}
