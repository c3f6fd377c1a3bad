import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { serveGit } from './git-host';

it('drops the answer when the client is gone before git has said anything', async () => {
  const request = Object.assign(new PassThrough(), { url: '/repo.git/git-upload-pack', method: 'POST', headers: {} });
  const dropped = new Promise<void>((resolve, reject) => {
    const response = Object.assign(new PassThrough(), { writeHead: () => reject(new Error('an answer was begun')) });
    response.destroy = () => (resolve(), response);
    serveGit(tmpdir(), request as unknown as IncomingMessage, response as unknown as ServerResponse);
    response.emit('close');
  });
  await expect(dropped).resolves.toBeUndefined();
});
