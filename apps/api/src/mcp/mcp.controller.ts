import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ProblemError } from '@chirality/platform';
import type { Request, Response } from 'express';
import { CurrentUser } from '../access/current-user.decorator';
import type { Principal } from '../access/principal';
import { Answers } from '../core/http/route-notes';
import { headerOf, McpRequestsService } from './mcp-requests.service';
import { McpSessionsService } from './mcp-sessions.service';
import { McpStreamsService } from './mcp-streams.service';

const HEADERS = { 'Mcp-Session-Id': 'As initialize answered it.' };

/**
 * The server of the Model Context Protocol, by its streamable HTTP. Those who speak it are agents, whatever their
 * token.
 */
@Controller('mcp')
export class McpController {
  constructor(
    private readonly requests: McpRequestsService,
    private readonly streams: McpStreamsService,
    private readonly sessions: McpSessionsService,
  ) {}

  @Post()
  @Answers(200, null, 'Send a message of the Model Context Protocol', {
    media: 'application/json',
    headers: HEADERS,
    problems: ['NOT_FOUND', 'SESSION_NOT_FOUND', 'FORBIDDEN', 'MESSAGE_TOO_LARGE', 'RATE_LIMITED'],
  })
  post(@CurrentUser() who: Principal, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.requests.answer(asAgent(who), request, response);
  }

  @Get()
  @Answers(200, null, 'Open or continue a stream of the Model Context Protocol', {
    media: 'text/event-stream',
    headers: { ...HEADERS, 'Last-Event-ID': 'Where a stream continues, on any node.' },
    problems: ['NOT_FOUND', 'RATE_LIMITED'],
  })
  async get(@CurrentUser() who: Principal, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (request.accepts(['text/event-stream']) === false)
      throw new ProblemError('VALIDATION_FAILED', 'This is a stream: ask with Accept: text/event-stream.');
    const agent = asAgent(who);
    const session = await this.sessions.find(agent, headerOf(request, 'mcp-session-id'));
    await this.streams.serve(agent, session, headerOf(request, 'last-event-id'), response);
  }

  @Delete()
  @Answers(204, null, 'End a session of the Model Context Protocol', { headers: HEADERS, problems: ['NOT_FOUND'] })
  async end(@CurrentUser() who: Principal, @Req() request: Request): Promise<void> {
    await this.sessions.end(await this.sessions.find(who, headerOf(request, 'mcp-session-id')));
  }
}

/** A model decides what is called here: it never has a person's word, also with a person's token. */
function asAgent(who: Principal): Principal {
  return { ...who, identityClass: 'agent' };
}
