import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { DETACHED, READING_TYPESCRIPT, sandboxOf, SandboxTrees, survivors } from '../../../test/sandbox-trees';
import { descendantsOf, readProcess, readProcesses } from '../process/process-table';

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

describeAsOrdinaryUser('a sandboxed tree and the worker that started it', () => {
  const trees = new SandboxTrees();

  it('ends with the worker, however that ends', async () => {
    const script = `
      ${sandboxOf(trees.host.runDir)}
      const child = sandbox.spawn({ profile: 'workspace', paths: ${JSON.stringify(trees.host.paths)}, command: ['/bin/bash', '-c', ${JSON.stringify(`${DETACHED} trap "" TERM INT; while :; do sleep 600; done`)}] });
      child.stdout.on('data', (chunk) => process.stdout.write(chunk));
    `;
    const worker = spawn(process.execPath, [...READING_TYPESCRIPT, '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitFor(() => output.includes('ready'), { what: 'the sandbox of the worker is up' });
    const tree = descendantsOf(worker.pid ?? 0);
    expect(tree.length).toBeGreaterThanOrEqual(7);
    expect(trees.lockIsFree()).toBe(false);
    worker.kill('SIGKILL');
    await waitFor(() => survivors(tree).length === 0, { what: 'the tree is gone', timeoutMs: 2_000 });
    await waitFor(() => trees.lockIsFree(), { what: 'the lock is free', timeoutMs: 1_000 });
  });

  describe('what a worker left that died', () => {
    it('while bubblewrap was starting waits for ever and holds the lock, until it is ended as an orphan', async () => {
      const fifo = join(trees.host.directory, 'go');
      const pidFile = join(trees.host.directory, 'pid');
      const bin = join(trees.host.directory, 'bin');
      mkdirSync(bin);
      execFileSync('mkfifo', [fifo]);
      writeFileSync(
        join(bin, 'bwrap'),
        `#!/bin/sh\necho $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; read -r go < ${fifo}; exec bwrap "$@"\n`,
        { mode: 0o755 },
      );
      const script = `
        ${sandboxOf(trees.host.runDir, { bubblewrapPath: join(bin, 'bwrap') })}
        sandbox.spawn({ profile: 'workspace', paths: ${JSON.stringify(trees.host.paths)}, command: ['/bin/sleep', '600'] });
      `;
      const worker = spawn(process.execPath, [...READING_TYPESCRIPT, '-e', script], {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      await waitFor(() => existsSync(pidFile), { what: 'bubblewrap is about to start' });
      const outermost = readProcess(Number(readFileSync(pidFile, 'utf8')));
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      writeFileSync(fifo, 'go\n');
      await waitFor(() => survivors(outermost ? [outermost] : []).length === 0, { what: 'bubblewrap itself ended' });
      expect(outermost).not.toBeNull();
      expect(trees.lockIsFree()).toBe(false);
      expect(await trees.host.sandbox.killOrphans()).toEqual({ count: 1, gone: true });
      expect(trees.lockIsFree()).toBe(true);
    });

    it('is known by its files, and no other is touched', async () => {
      const other = trees.host.another({ filesDir: join(trees.host.directory, 'other') });
      const theirs = await trees.start(
        'echo ready; sleep 600',
        { paths: { ...trees.host.paths, lockFile: undefined } },
        other,
      );
      const ours = await trees.start(`${DETACHED} wait`);
      expect((await trees.host.sandbox.killOrphans()).gone).toBe(true);
      expect(await ours.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
      expect(survivors(descendantsOf(theirs.pid))).not.toEqual([]);
      expect(await trees.host.sandbox.killOrphans()).toEqual({ count: 0, gone: true });
    });

    it('without a sandbox is ended too, with what detached itself', async () => {
      const none = trees.host.another({ mode: 'none', production: false });
      await trees.start(`${DETACHED} wait`, {}, none);
      const tree = readProcesses().filter(({ pid }) => environmentOf(pid).includes(`HOME=${trees.host.runDir}/home`));
      expect(tree.length).toBeGreaterThanOrEqual(5);
      expect((await none.killOrphans()).gone).toBe(true);
      expect(survivors(tree)).toEqual([]);
    });
  });

  describe('the lock of a session', () => {
    it('is held while anything of the tree lives and free when it is gone', async () => {
      expect(trees.lockIsFree()).toBe(true);
      const process = await trees.start(`${DETACHED} read -r line`);
      expect(trees.lockIsFree()).toBe(false);
      process.stdin.end();
      await process.exited;
      expect(trees.lockIsFree()).toBe(true);
    });

    it('keeps a second tree out, which is refused and starts nothing', async () => {
      await trees.start('echo ready; sleep 600');
      const second = await trees.host.sandbox.run({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/bin/bash', '-c', 'touch /workspace/second'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
      expect(second).toMatchObject({ code: null, signal: null, lockBusy: true });
      expect(existsSync(join(trees.host.paths.workspace, 'second'))).toBe(false);
    });

    it('cannot be let go from inside', async () => {
      await trees.start(
        'for fd in /proc/self/fd/* /proc/1/fd/*; do flock -u $fd true; done 2>/dev/null; for n in 3 4 5 6 7 8 9; do flock -u $n; done 2>/dev/null; echo ready; sleep 600',
      );
      expect(trees.lockIsFree()).toBe(false);
    });

    it('must be a file: the descriptor of a directory would lead out', () => {
      expect(() =>
        trees.host.sandbox.spawn({
          profile: 'workspace',
          paths: { ...trees.host.paths, lockFile: trees.host.directory },
          command: ['/bin/true'],
        }),
      ).toThrow('it is no file');
    });

    it('is no business of a tree without one', async () => {
      await trees.start('echo ready; sleep 600');
      expect(await trees.host.text('echo beside')).toBe('beside');
    });

    it('tells a command that ends with the same code from a busy lock', async () => {
      const result = await trees.host.sandbox.run({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/bin/bash', '-c', 'exit 222'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
      expect(result).toMatchObject({ code: 222, signal: null });
      expect(result.lockBusy).toBeUndefined();
    });
  });
});
