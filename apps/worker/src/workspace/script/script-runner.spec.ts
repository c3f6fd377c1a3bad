import { PassThrough, Readable } from 'node:stream';
import type { SandboxedProcess } from '../../sandbox/sandbox.types';
import { ScriptRunner } from './script-runner';

describe('what a script that is fed printed', () => {
  it('keeps a character that comes in two chunks', async () => {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const text = Buffer.from('文 ä\n');
    const exited = (async () => {
      for (const byte of text) {
        stdout.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      stdout.end();
      stderr.end();
      return { code: 0, signal: null };
    })();
    const process = { stdin: new PassThrough().resume(), stdout, stderr, exited, killTree: () => undefined };
    const runner = new ScriptRunner({ spawn: () => process as unknown as SandboxedProcess, run: jest.fn() });
    const script = { text: '', mounts: { workspace: '/w' }, timeoutMs: 10_000 };
    expect(await runner.feed(script, Readable.from([]))).toBe('文 ä');
  });
});
