import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router, type Request, type Response } from 'express';

const pageBelow = (base: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Chirality API</title><link rel="stylesheet" href="${base}/docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="${base}/docs/swagger-ui-bundle.js"></script><script src="${base}/docs/open.js"></script></body>
</html>
`;
const openBelow = (base: string) =>
  `SwaggerUIBundle({ url: '${base}/v1/openapi.json', dom_id: '#ui', validatorUrl: null, deepLinking: true, syntaxHighlight: false });\n`;

/** The routes to try out in the browser, from files of this server only. */
export function docsPage(basePath: string): Router {
  const files = dirname(createRequire(__filename).resolve('swagger-ui-dist/package.json'));
  const router = Router();
  router.get('/', (_request: Request, response: Response) => void response.type('html').send(pageBelow(basePath)));
  router.get('/open.js', (_request: Request, response: Response) => void response.type('js').send(openBelow(basePath)));
  router.get(['/swagger-ui.css', '/swagger-ui-bundle.js'], express.static(files, { index: false }));
  return router;
}
