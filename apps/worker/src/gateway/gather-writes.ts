import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * What `source` brings in one read leaves in one write, however many pieces were made of it: a fast reply would
 * otherwise cost a system call for each word.
 */
export function gatherWrites(source: Readable, response: ServerResponse): void {
  let gathering = false;
  source.on('data', () => {
    if (gathering) return;
    gathering = true;
    response.cork();
    setImmediate(() => {
      gathering = false;
      response.uncork();
    });
  });
}
