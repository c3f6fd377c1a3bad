import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { ExportFormat, Session } from '@chirality/contracts';
import { EventRepository, ProjectRepository } from '@chirality/database';
import { LOG, ProblemError, type Logger } from '@chirality/platform';
import type { Response } from 'express';
import type { Principal } from '../access/principal';
import { SessionAccess } from '../access/session-access';
import { answerAsAttachment } from '../core/transfer/attachment';
import { TranscriptService } from '../event/transcript.service';
import type { ExportForm } from './export-form';
import { htmlForm } from './html-form';
import { markdownForm } from './markdown-form';
import { MarkdownSetter } from './markdown-setter';
import { headingOf, turnParts } from './session-parts';

const PAGE = 500;
/** At once, of one person on one node: each reads a whole log. */
const MAX_EXPORTS_PER_PERSON = 4;
const RETRY_MS = 10_000;

/** Sessions as files: what the log held when they were asked for, no matter how long it takes to send. */
@Injectable()
export class ExportsService {
  private readonly markdown = new MarkdownSetter();
  private readonly running = new Map<string, number>();

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
    const own = this.running.get(who.user.id) ?? 0;
    if (own >= MAX_EXPORTS_PER_PERSON) throw tooManyExports();
    this.running.set(who.user.id, own + 1);
    try {
      await this.write(who, session, format, response);
    } finally {
      const left = (this.running.get(who.user.id) ?? 1) - 1;
      if (left > 0) this.running.set(who.user.id, left);
      else this.running.delete(who.user.id);
    }
  }

  private async write(who: Principal, session: Session, format: ExportFormat, response: Response): Promise<void> {
    const through = await this.events.lastEventId(session.id);
    const name = session.title === '' ? session.id : session.title;
    if (format === 'jsonl') {
      answerAsAttachment(response, `${name}.jsonl`, 'application/x-ndjson; charset=utf-8');
      return this.pipe(session.id, this.lines(session.id, through), response);
    }
    const form = format === 'html' ? htmlForm(this.markdown.forExport(who.user.id)) : markdownForm;
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
        if (exported) yield* form.turn(exported);
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

const tooManyExports = () =>
  new ProblemError(
    'RATE_LIMITED',
    `${MAX_EXPORTS_PER_PERSON} exports of yours run already. Wait until one has been downloaded, then try again.`,
    { retryAfterMs: RETRY_MS },
  );
