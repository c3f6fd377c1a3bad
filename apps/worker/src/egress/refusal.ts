import type { EventPayload } from '@chirality/contracts';
import type { EgressRefusal } from './egress.types';

type Refusal = Exclude<EgressRefusal, 'not_passed_on'> | 'unbound' | 'request' | 'answer';

/** `reason` is the standard phrase; the sentence is in the body and, for people, in the session. */
const SAYS: Record<Refusal, { status: number; reason: string; advice: string }> = {
  not_listed: {
    status: 403,
    reason: 'Forbidden',
    advice: 'it is not on this project’s list of hosts. An admin can add it on the project’s page.',
  },
  inward_address: {
    status: 403,
    reason: 'Forbidden',
    advice: 'its name leads to a private or local address, which is never reached from a sandbox.',
  },
  unresolved: { status: 502, reason: 'Bad Gateway', advice: 'its name could not be resolved.' },
  unreachable: { status: 502, reason: 'Bad Gateway', advice: 'it did not accept a connection.' },
  unbound: { status: 403, reason: 'Forbidden', advice: 'no turn is running.' },
  answer: { status: 502, reason: 'Bad Gateway', advice: 'its answer is not valid HTTP.' },
  request: { status: 400, reason: 'Bad Request', advice: 'the request is not one that a proxy serves.' },
};

/** One sentence for people. */
function refusalSentence(host: string, port: number, decision: Refusal): string {
  return `${host}:${port} was not reached: ${SAYS[decision].advice}`;
}

/** What the session shows of it. */
export function refusalNotice({
  host,
  port,
  decision,
}: {
  host: string;
  port: number;
  decision: EgressRefusal;
}): EventPayload<'turn:notice'> {
  if (decision === 'not_passed_on') {
    const text = `A request to the model’s service was refused because of ${host}: it is nothing that Claude Code sends, or this project or turn does not allow it.`;
    return { level: 'warning', code: 'REQUEST_REFUSED', text, what: host };
  }
  return {
    level: 'warning',
    code: 'EGRESS_REFUSED',
    text: refusalSentence(host, port, decision),
    host,
    port,
    reason: decision,
  };
}

/** The whole answer of the proxy, after which the connection is closed. */
export function refusalResponse(what: string, decision: Refusal): string {
  const { status, reason, advice } = SAYS[decision];
  const body = `${what} was not reached: ${advice}\n`;
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Chirality-Egress: ${decision}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
