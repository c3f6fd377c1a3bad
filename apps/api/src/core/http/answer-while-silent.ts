import type { DatabasePulse } from '@chirality/database';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { problems } from '../problem/problems';
import { sendProblem } from '../problem/send-problem';
import { requestContext } from './request-context';

const API_ROUTE = /^\/(v1|api|mcp)(\/|$)/;

/**
 * Answers DATABASE_UNAVAILABLE in place of a route as soon as the database does not answer, so that a server that hangs
 * holds no caller up for as long as a statement may take. What the route still does has no effect on the answer;
 * whether its statement took effect is unknown, as with any lost connection. Long reports of a database that answers
 * are left alone, and so is an answer that has begun, such as a stream of events.
 */
export function answerWhileSilent(pulse: Pick<DatabasePulse, 'isSilent' | 'onSilent'>): RequestHandler {
  const open = new Set<() => void>();
  pulse.onSilent(() => open.forEach((answer) => answer()));
  return (request: Request, response: Response, next: NextFunction) => {
    const answer = () => {
      if (!response.headersSent)
        sendProblem(response, problems.databaseUnavailable(), requestContext(request).requestId);
    };
    if (!API_ROUTE.test(request.path)) return next();
    if (pulse.isSilent) return answer();
    open.add(answer);
    response.once('close', () => open.delete(answer));
    next();
  };
}
