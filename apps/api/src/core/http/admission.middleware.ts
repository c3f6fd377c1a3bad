import { ProblemError, type Config } from '@chirality/platform';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { noSuchRoute } from '../problem/problem-of';
import { sendProblem } from '../problem/send-problem';
import { isAllowedHost, isAllowedOrigin } from '../address/origin-policy';
import { requestContext } from './request-context';

/**
 * Refuses, before anything reads the request: foreign hosts, pages of other origins, and paths that are not
 * decodable.
 */
export function admitRequests(config: Pick<Config, 'publicUrl'>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const refuse = (error: ProblemError) => sendProblem(response, error, requestContext(request).requestId);
    if (!isAllowedHost(request.headers.host, config)) {
      return refuse(
        new ProblemError(
          'FORBIDDEN',
          'This server does not answer to that host name. Set CHIRALITY_PUBLIC_URL to the address people use.',
        ),
      );
    }
    if (!isAllowedOrigin(request.headers.origin, request.headers.host, config)) {
      return refuse(
        new ProblemError(
          'FORBIDDEN',
          'Pages of another origin may not use this server. Set CHIRALITY_PUBLIC_URL to the address people use.',
        ),
      );
    }
    if (!isDecodable(request.path)) return refuse(noSuchRoute());
    next();
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
