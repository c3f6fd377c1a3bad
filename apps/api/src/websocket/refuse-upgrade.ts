import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '@chirality/domain';
import type { ProblemError } from '@chirality/platform';
import { answerOfProblem } from '../core/problem/send-problem';

/** A member of an HTTP connection that its types do not show: the response that has it just now. */
type WithResponse = { _httpMessage?: unknown };

/** Whether an earlier, pipelined request is not answered yet: what is written now would land in its answer. */
export function hasOpenResponse(socket: Duplex): boolean {
  return Boolean((socket as WithResponse)._httpMessage);
}

/** Answers an upgrade, which has no response, and ends its connection. */
export function refuseUpgrade(socket: Duplex, problem: ProblemError): void {
  if (!socket.writable || hasOpenResponse(socket)) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = answerOfProblem(problem, newId('request'));
  const lines = Object.entries({ connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  // The other side need not close its half, ever.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`);
}
