import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ExportFormat, Session } from '@chirality/contracts';
import { EventRepository, ProjectRepository } from '@chirality/database';
import { LOG, type Logger } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { answerAsAttachment } from '../core/transfer/attachment';
import { TranscriptService } from '../event/transcript.service';
import type { ExportForm } from './export-form';
import { htmlForm } from './html-form';
import { markdownForm } from './markdown-form';
import { headingOf, turnParts } from './session-parts';

const FORMS = { markdown: markdownForm, html: htmlForm } as const;
const PAGE = 500;

/** Sessions as files: what the log held when they were asked for, no matter how long it takes to send. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly sessions: SessionAccess,
    private readonly events: EventRepository,
    private readonly projects: ProjectRepository,
    private readonly transcripts: TranscriptService,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** Streams the file; memory holds one page of it. A connection that breaks off leaves a body without its end. */
  async send(who: Principal, sessionId: string, format: ExportFormat, response: Response): Promise<void> {
    const session = await this.sessions.forReading(who, sessionId);
    const through = await this.events.lastEventId(session.id);
    const name = session.title === '' ? session.id : session.title;
    if (format === 'jsonl') {
      answerAsAttachment(response, `${name}.jsonl`, 'application/x-ndjson; charset=utf-8');
      return this.pipe(session.id, this.lines(session.id, through), response);
    }
    const form = FORMS[format];
    answerAsAttachment(response, `${name}.${form.extension}`, form.mediaType);
    return this.pipe(session.id, this.pieces(session, form, through), response);
  }

  /** The envelopes, one a line, as every transport gives them. */
  private async *lines(sessionId: string, through: number): AsyncGenerator<string> {
    for (let after = 0; after < through;) {
      const page = await this.events.readEvents(sessionId, { after, before: through + 1, limit: PAGE });
      if (page.length === 0) return;
      yield page.map((envelope) => `${JSON.stringify(envelope)}\n`).join('');
      after = page.at(-1)?.id ?? through;
    }
  }

  private async *pieces(session: Session, form: ExportForm, through: number): AsyncGenerator<string> {
    const project = await this.projects.find(session.projectId);
    yield form.begin(headingOf(session, project?.name ?? session.projectId, through, new Date()));
    let number = 0;
    for await (const turns of this.transcripts.pagesThrough(session.id, through))
      for (const turn of turns) {
        if (turn.kind !== 'system') number += 1;
        const exported = turnParts(turn, number);
        if (exported) yield form.turn(exported);
      }
    yield form.end();
  }

  private async pipe(sessionId: string, pieces: AsyncGenerator<string>, response: Response): Promise<void> {
    try {
      await pipeline(pieces, response);
    } catch (error) {
      // The headers are out: only an end without its last chunk tells the client that this is not all.
      if (response.destroyed && isAbort(error)) return;
      this.log.warn({ sessionId, err: error }, 'export.broken');
      response.destroy();
    }
  }
}

const isAbort = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
