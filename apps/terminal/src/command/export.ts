import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect, type AccountOptions } from '../account/connect';
import { EXIT } from '../program/exit-code';
import { Failure } from '../program/failure';
import type { Terminal } from '../program/terminal';
import { oneLine } from '../text/safe-text';

type ExportOptions = { format: 'jsonl' | 'markdown' | 'html'; output?: string };

/** Writes a session to a file, or to standard output where that is no terminal: its text is the model's, not ours. */
export async function exportSession(
  { environment, note }: Terminal,
  account: AccountOptions,
  sessionId: string,
  { format, output }: ExportOptions,
): Promise<void> {
  if (output === undefined && process.stdout.isTTY)
    throw new Failure(EXIT.usage, 'Say where to: --output FILE, or send it on with > FILE.');
  const { response } = await connect(account, environment).api.GET('/v1/sessions/{sessionId}/export', {
    params: { path: { sessionId }, query: { format } },
    parseAs: 'stream',
  });
  if (response.body === null) throw new Failure(EXIT.failed, 'The server sent nothing.');
  const body = Readable.fromWeb(response.body as never);
  if (output === undefined) await pipeline(body, process.stdout, { end: false });
  else {
    // A file that is there already may be wanted: it is not replaced.
    await pipeline(body, createWriteStream(output, { flags: 'wx', mode: 0o600 }));
    note(`Written to ${oneLine(output)}.\n`);
  }
}
