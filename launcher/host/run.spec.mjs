import { run, tail, which } from './run.mjs';

describe('run', () => {
  it('answers exit code and output, of both streams and of the first alone', async () => {
    await expect(run('/bin/sh', ['-c', 'cat; echo problem >&2; exit 4'], { input: 'given\n' })).resolves.toEqual({
      code: 4,
      timedOut: false,
      output: 'given\nproblem\n',
      stdout: 'given\n',
    });
  });

  it('ends the program and what it started at the time limit', async () => {
    const { code, timedOut } = await run('/bin/sh', ['-c', 'sleep 600 & sleep 600'], { timeoutMs: 50 });
    expect([code, timedOut]).toEqual([null, true]);
  });

  it('answers null for a program that is not there', async () => {
    await expect(run('/nowhere/program', [])).resolves.toMatchObject({
      code: null,
      output: expect.stringContaining('ENOENT'),
    });
  });
});

describe('which', () => {
  it('finds programs, not directories, on the path given', () => {
    expect([which('sh', '/nowhere:/bin'), which('bin', '/usr'), which('sh', '/nowhere'), which('sh', '')]).toEqual([
      '/bin/sh',
      null,
      null,
      null,
    ]);
  });
});

describe('tail', () => {
  it('keeps the last lines, indented', () => {
    expect(tail('a\nb\nc\n', 2)).toBe('    b\n    c');
  });
});
