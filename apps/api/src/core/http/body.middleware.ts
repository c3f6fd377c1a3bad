import { ProblemError } from '@chirality/platform';
import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { sendProblem } from '../problem/send-problem';
import { requestContext } from './request-context';

export const SMALL_BODY_BYTES = 256 * 1024;
/** 4 MiB of UTF-8 in which each character was written as an escape of six bytes, and room for the other members. */
export const MESSAGE_BODY_BYTES = 26 * 1024 * 1024;
const DEEPEST_BODY = 64;
const BODY_MS = 120_000;
/** Where the body is a file, whatever its type says: the route reads it as it comes. */
const FILE_ROUTE = /^\/v1\/sessions\/[^/]+\/attachments\/?$/;
/** The signature is one of the bytes as they came. */
const WEBHOOK_ROUTE = /^\/v1\/(git-webhooks|triggers)\/[^/]+\/?$/;
const MESSAGE_ROUTE = /^\/(v1\/sessions\/[^/]+\/turns|api\/harness\/turn|mcp)\/?$/;

/**
 * Reads JSON bodies. Only a caller with a token that we signed may send a long body: for any other the
 * body is left unread and the route's guard answers.
 */
export function readJsonBodies(
  isSigned: (authorization: string | undefined) => boolean | Promise<boolean>,
): RequestHandler {
  const small = json({ limit: SMALL_BODY_BYTES, inflate: false });
  const message = json({ limit: MESSAGE_BODY_BYTES, inflate: false });
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.method === 'POST' && (FILE_ROUTE.test(request.path) || WEBHOOK_ROUTE.test(request.path))) return next();
    const readAs = (read: RequestHandler, isMessage: boolean) => {
      // A client that sends a body byte by byte is not waited for.
      const timer = setTimeout(() => request.destroy(), BODY_MS).unref();
      void read(request, response, (error?: unknown) => {
        clearTimeout(timer);
        const problem = error === undefined ? refusalOfDepth(request.body) : problemOfBody(error, isMessage);
        if (problem === null) return next();
        sendProblem(response, problem, requestContext(request).requestId);
      });
    };
    const forMessage = request.method === 'POST' && MESSAGE_ROUTE.test(request.path);
    if (!forMessage) return readAs(small, false);
    // What cannot be looked up now is refused by the guard, which looks again.
    void Promise.resolve(isSigned(request.headers.authorization))
      .catch(() => false)
      .then((mayBeLong) => (mayBeLong ? readAs(message, true) : next()));
  };
}

function problemOfBody(error: unknown, forMessage: boolean): ProblemError {
  const type = (error as { type?: unknown }).type;
  if (type === 'entity.too.large') {
    return new ProblemError(
      'MESSAGE_TOO_LARGE',
      forMessage
        ? 'A message may have at most 4 MiB. Shorten it, or put the content into a file of the workspace.'
        : 'A request body may have at most 256 KiB here.',
    );
  }
  if (type === 'entity.parse.failed')
    return new ProblemError('VALIDATION_FAILED', 'The body is not valid JSON. Send one JSON object.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new ProblemError('VALIDATION_FAILED', 'The body must be uncompressed JSON in UTF-8.');
  }
  return new ProblemError('VALIDATION_FAILED', 'The body could not be read. Send it again as JSON.');
}

/** Whatever walks through the body later may do so by recursion. */
export function refusalOfDepth(body: unknown): ProblemError | null {
  let level = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_BODY)
      return new ProblemError(
        'VALIDATION_FAILED',
        `The body is nested deeper than ${DEEPEST_BODY} levels. Send a flatter one.`,
      );
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return null;
}
