import { waitFor } from '@chirality/testing';
import express from 'express';
import pino from 'pino';
import request from 'supertest';
import { readJsonBodies } from './body.middleware';
import { currentContext, identifyRequests, withContext } from './request-context';

describe('the request id in the log', () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { mixin: () => ({ ...currentContext() }) },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = express();
  app.use(identifyRequests(log));
  app.use(readJsonBodies(() => true));
  app.all('/work', (_request, response) => {
    log.info('begun');
    // A service logs after it has waited for something.
    setImmediate(() => {
      log.info('done');
      response.end();
    });
  });

  beforeEach(() => lines.splice(0));

  it.each(['get', 'post'] as const)(
    'is in every line that a %s writes, and is the one that was answered',
    async (verb) => {
      const sent = request(app)[verb]('/work');
      const { headers } = await (verb === 'post' ? sent.send({ text: 'x'.repeat(100_000) }) : sent);
      const requestId = headers['x-request-id'] as unknown;
      expect(requestId).toMatch(/^req_/);
      await waitFor(() => lines.length === 3, { what: 'the line of the request' });
      expect(lines).toMatchObject([
        { msg: 'begun', requestId },
        { msg: 'done', requestId },
        { msg: 'request.answered', requestId, path: '/work', status: 200 },
      ]);
    },
  );

  it('keeps requests that are handled at once apart', async () => {
    const answers = await Promise.all([request(app).get('/work'), request(app).get('/work')]);
    await waitFor(() => lines.length === 6, { what: 'the lines of both requests' });
    const ids = answers.map(({ headers }) => headers['x-request-id'] as string);
    for (const id of ids)
      expect(lines.filter(({ requestId }) => requestId === id).map(({ msg }) => msg)).toEqual([
        'begun',
        'done',
        'request.answered',
      ]);
  });

  it('is in the lines of a socket message, and in none outside', async () => {
    await withContext({ requestId: 'req_1', userId: 'user_1' }, async () => {
      await Promise.resolve();
      log.info('inside');
    });
    log.info('outside');
    expect(lines[0]).toMatchObject({ msg: 'inside', requestId: 'req_1', userId: 'user_1' });
    expect(lines[1]).not.toHaveProperty('requestId');
  });
});
