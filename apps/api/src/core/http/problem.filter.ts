import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Logger } from '@chirality/platform';
import type { Request, Response } from 'express';
import { problemOf } from '../problem/problem-of';
import { ForbiddenError } from '../problem/problems';
import { sendProblem } from '../problem/send-problem';
import { loggedPath, requestContext } from './request-context';

/**
 * Answers whatever a route threw as RFC 9457; an answer that had begun is cut, so that no client takes half of it for
 * the whole.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    private readonly log: Logger,
    /** Called for what was denied to a user. */
    private readonly onDenied: (request: Request, denied: { reason: string; teamId: string | null }) => void,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    // Another part of the server has answered already, and this route with an answer or an error came too late.
    if (response.writableEnded) return;
    const { problem, expected } = problemOf(error);
    const { requestId } = requestContext(request);
    if (!expected)
      this.log.error({ err: error, requestId, method: request.method, path: loggedPath(request) }, 'request.failed');
    else if (problem.status >= 500)
      this.log.warn({ code: problem.code, requestId, reason: messageOf(error) }, 'request.refused');
    if (problem.code === 'FORBIDDEN' || problem.code === 'TOKEN_SCOPE')
      this.onDenied(request, {
        reason: problem.detail,
        teamId: problem instanceof ForbiddenError ? problem.teamId : null,
      });
    if (response.headersSent) response.destroy();
    else sendProblem(response, problem, requestId);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : 'unknown';
}
