import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

const API_PATHS = /^\/(v1|api|mcp|\.well-known|health|metrics|docs|socket\.io)(\/|$)/;
const HASHED = /-[\w-]{8,}\.\w+$/;

/**
 * Serves the built dashboard: hashed files for ever, everything else to be checked again, and the page itself for every
 * address that is not the api's. Null when there is nothing built.
 */
export function webFiles(directory: string | null, basePath: string): RequestHandler | null {
  if (directory === null || !existsSync(join(directory, 'index.html'))) return null;
  const page = join(directory, 'index.html');
  const router = Router();
  router.use(
    express.static(directory, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      setHeaders: (response: Response, path: string) => {
        response.setHeader('cache-control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    }),
  );
  router.use((request: Request, response: Response, next: NextFunction) => {
    const wantsPage =
      (request.method === 'GET' || request.method === 'HEAD') &&
      !request.path.startsWith('/assets/') &&
      request.accepts('html') !== false;
    if (!wantsPage) return next();
    response.setHeader('cache-control', 'no-cache');
    readFile(page, 'utf8').then((html) => response.type('html').send(pageBelow(basePath, html)), next);
  });
  return (request, response, next) => (API_PATHS.test(request.path) ? next() : router(request, response, next));
}

/**
 * The built page names its files relative to itself, but it answers for addresses of any depth: they are named from the
 * base path, which the page reads, too.
 */
function pageBelow(basePath: string, html: string): string {
  const meta = `<meta name="chirality-base" content="${basePath}" />`;
  return html.replaceAll(/(src|href)="\.\//g, `$1="${basePath}/`).replace('<head>', `<head>${meta}`);
}
