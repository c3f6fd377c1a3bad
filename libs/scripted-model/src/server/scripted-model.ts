import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pace } from '../api/reply';
import { readRequest } from '../api/request';
import { tokensOf } from '../api/usage';
import { DirectiveQueue } from '../directive/directive-queue';
import { answerReply, sendError } from './answer-reply';
import { chooseReply } from './choose-reply';
import { answerControl, isControlPath } from './control-route';
import { readBody } from './read-body';
import { RequestLog, type RecordedRequest } from './recorded-request';
import { SilentAnswers } from './silent-answers';

type ScriptedModelOptions = {
  listen: { socketPath: string } | { port?: number; host?: string };
  /** Honour directives in messages, keep the requests for `requests()`, and serve `/scripted/…`. Only for tests and benchmarks. */
  directives?: boolean;
  /** How long the demo waits after each word; 24 ms when left out. */
  wordDelayMs?: number;
};

export type ScriptedModel = {
  /** Where it listens; for a socket the path is in `socketPath` and the host of the address means nothing. */
  url: string;
  socketPath: string | null;
  requests(): readonly RecordedRequest[];
  /** Directives for the next main-loop requests whose message has none, in order. */
  enqueue(directives: string): void;
  /** Directives for every message that has none; null to end that. */
  setDefault(directives: string | null): void;
  /** Cuts the oldest answer that fell silent by `[[cut on=name]]`, or the next one; resolves when it is cut. */
  cut(name: string): Promise<void>;
  reset(): void;
  close(): Promise<void>;
};

const DEFAULT_WORD_DELAY_MS = 24;

/** Starts a Messages API that acts out scripts. Resolves once it listens; rejects when it cannot. */
export async function startScriptedModel({
  listen,
  directives = false,
  wordDelayMs = DEFAULT_WORD_DELAY_MS,
}: ScriptedModelOptions): Promise<ScriptedModel> {
  const log = new RequestLog(directives);
  const queue = directives ? new DirectiveQueue() : null;
  const silent = new SilentAnswers();
  const pace: Pace = { unit: 'word', size: 1, delayMs: wordDelayMs };
  const server = createServer((request, response) => {
    serve(request, response, { log, queue, pace, silent }).catch(() => response.destroy());
  });
  // Answers of a slow model may take minutes; a keep-alive connection waits as long for its next request.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  await listening(server, listen);
  const socketPath = 'socketPath' in listen ? listen.socketPath : null;
  return {
    url: socketPath === null ? urlOf(server.address() as AddressInfo) : 'http://localhost',
    socketPath,
    requests: () => log.all(),
    enqueue: (text) => queue?.enqueue(text),
    setDefault: (text) => queue?.setDefault(text),
    cut: (name) => silent.cut(name),
    reset: () => {
      queue?.reset();
      log.clear();
      silent.clear();
    },
    close: () => closed(server),
  };
}

type Served = { log: RequestLog; queue: DirectiveQueue | null; pace: Pace; silent: SilentAnswers };

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { log, queue, pace, silent }: Served,
): Promise<void> {
  response.on('error', () => undefined);
  const requestId = `req_${randomBytes(12).toString('hex')}`;
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const raw = await readBody(request);
  if (raw === null)
    return sendError(
      response,
      { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size', headers: {} },
      requestId,
    );
  if (queue && isControlPath(path)) return answerControl(response, path, raw, queue, log);
  const body = parsed(raw);
  const entry = log.add({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
  response.on('close', () => (entry.aborted = !response.writableFinished));
  if (request.method !== 'POST' || !path.startsWith('/v1/messages')) {
    entry.answer = '404';
    return sendError(
      response,
      { status: 404, type: 'not_found_error', message: `Not found: ${path}`, headers: {} },
      requestId,
    );
  }
  const asked = readRequest(body);
  if (!asked) {
    entry.answer = '400';
    return sendError(
      response,
      { status: 400, type: 'invalid_request_error', message: 'messages: Field required', headers: {} },
      requestId,
    );
  }
  if (path === '/v1/messages/count_tokens') {
    entry.answer = 'count_tokens';
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': requestId });
    response.end(JSON.stringify({ input_tokens: tokensOf(raw) }));
    return;
  }
  const chosen = chooseReply(asked, queue, pace);
  entry.answer = chosen.label;
  await answerReply(response, asked, chosen.reply, requestId, chosen.pace);
  const fault = chosen.reply.kind === 'message' ? chosen.reply.fault : undefined;
  if (fault?.kind === 'stall' && fault.cutOn !== undefined) silent.add(fault.cutOn, response);
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function listening(server: Server, listen: ScriptedModelOptions['listen']): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const onListening = (): void => {
      server.off('error', reject);
      resolve();
    };
    if ('socketPath' in listen) server.listen(listen.socketPath, onListening);
    else server.listen(listen.port ?? 0, listen.host ?? '127.0.0.1', onListening);
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
