import { PassThrough } from 'node:stream';
import { parseGitAddress } from '@chirality/domain';
import type { SandboxedProcess } from '../../sandbox/sandbox.types';
import { GitTransport } from './git-transport';

/** A git that prints and says this, each byte in a chunk. */
function transportOf(printed: string, said: string, code: number) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const write = async (stream: PassThrough, text: string) => {
    for (const byte of Buffer.from(text)) {
      stream.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    stream.end();
  };
  const exited = Promise.all([write(stdout, printed), write(stderr, said)]).then(() => ({ code, signal: null }));
  const process = { stdin, stdout, stderr, exited, killTree: () => undefined } as unknown as SandboxedProcess;
  const lease = { socketPath: '/s', token: 't', bind: () => undefined, close: () => Promise.resolve() };
  return new GitTransport({
    sandbox: { spawn: () => process },
    egress: { open: () => Promise.resolve(lease as never) },
    hostKeys: {} as never,
  });
}

function run(transport: GitTransport): Promise<string> {
  const address = parseGitAddress('https://git.example.org/r');
  if (!address) throw new Error('no address');
  const act = { teamId: 'team_1', userId: 'user_1', projectId: null };
  return transport.run({ text: '', address, account: null, act, directory: '/d' });
}

describe('what git prints and says', () => {
  it('keeps a character that comes in two chunks', async () => {
    expect(await run(transportOf('refs/heads/文/ä', '', 0))).toBe('refs/heads/文/ä');
    await expect(run(transportOf('', 'fatal: 文 ä', 128))).rejects.toMatchObject({
      failure: { detail: 'Git could not fetch it: fatal: 文 ä' },
    });
  });
});
