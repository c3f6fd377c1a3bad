import { AsyncLocalStorage } from 'node:async_hooks';
import { newId } from '@chirality/domain';
import { metrics, type Logger } from '@chirality/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

type RequestContext = { requestId: string; userId?: string };

const CONTEXT = Symbol('chirality.request');
const storage = new AsyncLocalStorage<RequestContext>();

/** The context of a request that passed `identifyRequests`; one is made for what never did. */
export function requestContext(request: object): RequestContext {
  const carrier = request as { [CONTEXT]?: RequestContext };
  return (carrier[CONTEXT] ??= { requestId: newId('request') });
}

/** Ids for the log line that is being written, wherever in the call that is; empty outside a request. */
export function currentContext(): Partial<RequestContext> {
  return storage.getStore() ?? {};
}

/** Runs `act` as work on behalf of one request or socket message. */
export function withContext<T>(context: RequestContext, act: () => T): T {
  return storage.run(context, act);
}

/** A request's path as it may be logged: cut, and without the one secret that a path holds. */
export function loggedPath(request: Request): string {
  const [path = ''] = request.originalUrl.split('?', 1);
  return path.replace(/(\/invitations\/)[^/]+(?=\/)/, '$1…').slice(0, 200);
}

/** Gives each request an id, answers with it, and logs and measures it once it is answered. */
export function identifyRequests(log: Logger): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const context = requestContext(request);
    const startedAt = performance.now();
    response.setHeader('x-request-id', context.requestId);
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      metrics.httpRequestSeconds.observe(
        { method: request.method, route, status: String(response.statusCode) },
        ms / 1_000,
      );
      const line = { ...context, method: request.method, path: loggedPath(request), status: response.statusCode, ms };
      log.info(line, response.writableFinished ? 'request.answered' : 'request.cut_by_client');
    });
    withContext(context, next);
  };
}
