import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EgressLimits, ResolvedAddress } from './egress.types';
import { pinnedLookup } from './pinned-lookup';
import { refusalResponse } from './refusal';

/** Of one connection each, and for proxies; the rest is passed on unchanged. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const LOWEST_FINAL_STATUS = 200;

type Forwarding = {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  addresses: ResolvedAddress[];
  limits: EgressLimits;
  hold(stream: Duplex): void;
  note(decision: 'allowed' | 'unreachable'): void;
};

/** The address of a request to a proxy, without credentials; null for anything but plain http. */
export function readAbsoluteUrl(text: string): URL | null {
  const url = /^http:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  return url && url.username === '' && url.password === '' && !url.hostname.startsWith('[') ? url : null;
}

/**
 * Sends a plain http request on to one of the addresses that were decided upon, and its answer back, both unbuffered.
 */
export function forwardRequest({ request, response, url, addresses, limits, hold, note }: Forwarding): void {
  let answered = false;
  const onward = httpRequest({
    host: url.hostname,
    port: url.port || 80,
    path: url.pathname + url.search,
    method: request.method,
    headers: { ...endToEnd(request.headers), host: url.host },
    agent: false,
    lookup: pinnedLookup(addresses),
    timeout: limits.connectMs,
  });
  onward.once('socket', (socket) => {
    hold(socket);
    socket.once('connect', () => {
      note('allowed');
      socket.setTimeout(limits.idleMs);
    });
  });
  onward.once('timeout', () => onward.destroy());
  onward.once('response', (answer) => {
    answered = true;
    answer.once('error', () => response.destroy());
    if (passHead(answer, response)) return void answer.pipe(response);
    onward.destroy();
    response.socket?.end(refusalResponse(`${url.hostname}:${url.port || 80}`, 'answer'));
  });
  // Also for a change of protocol, which comes as neither answer nor error and only closes the connection.
  const failed = () => {
    if (answered) return void response.destroy();
    answered = true;
    note('unreachable');
    response.socket?.end(refusalResponse(`${url.hostname}:${url.port || 80}`, 'unreachable'));
  };
  onward.once('error', failed);
  response.once('close', () => onward.destroy());
  onward.once('close', () => {
    if (!answered) failed();
    // A client that still sends to a host that has answered already must not wait for it to read.
    request.resume();
  });
  request.pipe(onward);
}

/**
 * Begins the answer. False for one that cannot be passed on: what is read as an answer may be none that can be written,
 * and throwing here would end the worker. The host's reason phrase means nothing and stays behind.
 */
function passHead(answer: IncomingMessage, response: ServerResponse): boolean {
  const status = answer.statusCode ?? 0;
  if (status < LOWEST_FINAL_STATUS) return false;
  try {
    response.writeHead(status, endToEnd(answer.headers));
    return true;
  } catch {
    return false;
  }
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set(
    String(headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)));
}
