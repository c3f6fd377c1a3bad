import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  customEventSchema,
  earlierTranscriptSchema,
  envelopeSchema,
  eventsQuerySchema,
  newestTranscriptSchema,
  pageSchema,
  transcriptQuerySchema,
  type CustomEvent,
  type Envelope,
} from '@chirality/contracts';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Principal } from '../access/principal';
import { CurrentUser } from '../access/current-user.decorator';
import { Answers } from '../core/http/route-notes';
import { JsonBody, QueryOf } from '../core/http/validate';
import { CustomEventsService } from './custom-events.service';
import { EventsService, type EventsQuery } from './events.service';
import { TranscriptService, type EarlierTranscript, type NewestTranscript } from './transcript.service';

@Controller('v1/sessions/:sessionId')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly custom: CustomEventsService,
    private readonly transcripts: TranscriptService,
  ) {}

  @Get('events')
  @Answers(
    200,
    pageSchema(envelopeSchema),
    'List events after an id as a page or, with Accept: text/event-stream, as a stream',
    {
      media: 'text/event-stream',
      headers: {
        'Last-Event-ID': 'Where a stream resumes; wins over `after`.',
        'X-Client-Presence': '`present`: while the stream is open, its person counts as present in the session.',
      },
      problems: ['SESSION_NOT_FOUND', 'CURSOR_AHEAD', 'RATE_LIMITED'],
    },
  )
  read(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(eventsQuerySchema) query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.events.answer(who, sessionId, query, request, response);
  }

  @Post('events')
  @Answers(201, envelopeSchema, 'Append an event of a program to the session’s log, for other programs', {
    problems: ['SESSION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  append(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @JsonBody(customEventSchema) body: CustomEvent,
  ): Promise<Envelope> {
    return this.custom.append(who, sessionId, body);
  }

  @Get('transcript')
  @Answers(
    200,
    z.union([newestTranscriptSchema, earlierTranscriptSchema]),
    'Get the session’s newest turns through one event, folded into what a person reads; with `before=<earlier>` the turns before them',
    {
      problems: ['SESSION_NOT_FOUND'],
    },
  )
  transcript(
    @CurrentUser() who: Principal,
    @Param('sessionId') sessionId: string,
    @QueryOf(transcriptQuerySchema) { before }: { before?: number | undefined },
  ): Promise<NewestTranscript | EarlierTranscript> {
    return before === undefined
      ? this.transcripts.newest(who, sessionId)
      : this.transcripts.earlier(who, sessionId, before);
  }
}
