import helmet from 'helmet';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';

/** The page may open its live connection only to the host it came from; the host was checked before. */
function ownSocket(scheme: 'ws' | 'wss') {
  return (request: IncomingMessage) => `${scheme}://${request.headers.host ?? 'localhost'}`;
}

/** Strict headers on every answer: nothing is loaded from, sent to, or framed by another site. */
export function securityHeaders(options: { https: boolean }): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'", ownSocket('ws'), ownSocket('wss')],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        frameSrc: ["'none'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        // Accessible widgets set positions by style elements at run time; no markup of a model or person is ever
        // rendered as HTML.
        styleSrc: ["'self'", "'unsafe-inline'"],
        workerSrc: ["'self'", 'blob:'],
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: options.https ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' },
  });
}
