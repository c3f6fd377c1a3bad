import { once } from 'node:events';
import { answerOf } from '@chirality/client';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { connect, connectionOf, type AccountOptions } from '../account/connect';
import { McpBridge } from '../mcp/mcp-bridge';
import { EXIT, type ExitCode } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';

/** What the server takes in one message. */
const MAX_MESSAGE_BYTES = 26_000_000;

/** Serves MCP at standard input and output, by the server's own. Nothing else is written to standard output. */
export async function serveMcp({ environment, note }: Terminal, account: AccountOptions): Promise<ExitCode> {
  const connection = connectionOf(account, environment);
  // A client shows what the program says when it ends at once, and nothing of a first call that fails.
  await answerOf(connect(account, environment).api.GET('/v1/me'));
  const stdio = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  let refuse: () => void = () => undefined;
  const refused = new Promise<ExitCode>((_resolve, reject) => {
    const sentence = 'The token is no longer good. Run chirality login, or set CHIRALITY_TOKEN.';
    refuse = () => reject(new Failure(EXIT.notSignedIn, sentence));
  });
  const bridge = new McpBridge(stdio, connection, refuse);
  stdio.onerror = () => note('chirality: A line of standard input is no message of JSON-RPC 2.0.\n');
  const over = endOf(stdio);
  await bridge.start();
  try {
    return await Promise.race([over, refused]);
  } finally {
    await bridge.stop();
  }
}

/** The client closes its end, or a signal says so. */
async function endOf(stdio: StdioServerTransport): Promise<ExitCode> {
  const closed = new Promise<ExitCode>((resolve) => {
    for (const event of ['end', 'close', 'error'] as const) process.stdin.once(event, () => resolve(EXIT.done));
    process.stdout.once('error', () => resolve(EXIT.done));
    stdio.onclose = () => resolve(EXIT.failed);
  });
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), once(process, 'SIGHUP')]);
  return Promise.race([closed, interrupted.then((): ExitCode => EXIT.interrupted)]);
}
