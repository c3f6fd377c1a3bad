import type { ServerResponse } from 'node:http';
import type { DirectiveQueue } from '../directive/directive-queue';
import type { RequestLog } from './recorded-request';

const PREFIX = '/scripted/';

export function isControlPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** The handle of a server that runs in another process: `/scripted/requests`, `enqueue`, `default`, `reset`. */
export function answerControl(
  response: ServerResponse,
  path: string,
  body: string,
  queue: DirectiveQueue,
  log: RequestLog,
): void {
  const act = path.slice(PREFIX.length);
  if (act === 'requests') return json(response, 200, log.all());
  if (act === 'enqueue') queue.enqueue(body);
  else if (act === 'default') queue.setDefault(body === '' ? null : body);
  else if (act === 'reset') {
    queue.reset();
    log.clear();
  } else return json(response, 404, { error: 'unknown' });
  return json(response, 200, { ok: true });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
