import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../test/sandbox-host';
import { DEFAULT_LIMITS, SANDBOX_NICENESS } from './limits';
import { descendantsOf, isRunning, readProcess, readProcesses, type ProcessEntry } from './process-table';
import type { SandboxedProcess, SandboxRequest } from './sandbox.types';

function survivors(tree: readonly ProcessEntry[]): ProcessEntry[] {
  return tree.filter(({ pid, startTime }) => {
    const now = readProcess(pid);
    return isRunning(now) && now.startTime === startTime;
  });
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

describeAsOrdinaryUser('the life of a sandboxed tree', () => {
  let host: SandboxHost;
  const started: SandboxedProcess[] = [];

  beforeEach(() => (host = makeSandboxHost()));
  afterEach(async () => {
    for (const process of started.splice(0)) {
      process.killTree();
      await process.exited;
    }
    host.remove();
  });

  /** Starts a script and waits until it says `ready`. */
  async function start(
    script: string,
    more: Partial<SandboxRequest> = {},
    sandbox = host.sandbox,
  ): Promise<SandboxedProcess> {
    const process = sandbox.spawn({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', script],
      ...more,
    });
    started.push(process);
    let output = '';
    process.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitFor(() => output.includes('ready'), { what: 'the script is ready' });
    return process;
  }

  const DETACHED =
    'setsid sleep 600 & nohup sleep 601 >/dev/null 2>&1 & ( setsid nohup bash -c "trap \'\' TERM INT HUP; sleep 602; sleep 603" & ) ; sleep 0.1; echo ready;';

  function lockIsFree(): boolean {
    try {
      execFileSync('flock', ['-n', host.paths.lockFile, 'true']);
      return true;
    } catch {
      return false;
    }
  }

  it('runs a command, feeds it and takes both outputs and its code', async () => {
    const result = await host.sandbox.run({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', 'cat; echo oops >&2; exit 7'],
      stdin: 'fed 🎉',
      maxOutputBytes: 100,
      timeoutMs: 10_000,
    });
    expect({ ...result, stdout: result.stdout.toString(), stderr: result.stderr.toString() }).toEqual({
      code: 7,
      signal: null,
      stdout: 'fed 🎉',
      stderr: 'oops\n',
      truncated: false,
      timedOut: false,
    });
  });

  it('drops what is beyond the limit of output and lets the command come to its end', async () => {
    const result = await host.sandbox.run({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', 'head -c 3M /dev/zero; echo end > /workspace/end'],
      maxOutputBytes: 1_000,
      timeoutMs: 10_000,
    });
    expect([result.code, result.stdout.length, result.truncated]).toEqual([0, 1_000, true]);
    expect(existsSync(join(host.paths.workspace, 'end'))).toBe(true);
  });

  it('kills what takes too long', async () => {
    const result = await host.sandbox.run({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', 'echo begun; trap "" TERM INT; sleep 600'],
      maxOutputBytes: 1_000,
      timeoutMs: 300,
    });
    expect({ ...result, stdout: result.stdout.toString(), stderr: '' }).toEqual({
      code: null,
      signal: 'SIGKILL',
      stdout: 'begun\n',
      stderr: '',
      truncated: false,
      timedOut: true,
    });
  });

  it('ends as a whole when it is killed, detached and deaf children too', async () => {
    const process = await start(`${DETACHED} wait`);
    const tree = descendantsOf(process.pid);
    expect(tree.length).toBeGreaterThanOrEqual(6);
    process.killTree();
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(survivors(tree)).toEqual([]);
  });

  it('ends as a whole when the command exits and leaves children behind', async () => {
    const process = await start(`${DETACHED} read -r line; exit 3`);
    const tree = descendantsOf(process.pid);
    process.stdin.end('go\n');
    expect(await process.exited).toEqual({ code: 3, signal: null });
    expect(survivors(tree)).toEqual([]);
  });

  it('is killed cleanly in its very first moments', async () => {
    for (const afterMs of [0, 1, 2, 3, 5, 8]) {
      const process = host.sandbox.spawn({ profile: 'workspace', paths: host.paths, command: ['/bin/sleep', '600'] });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      process.killTree();
      expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
      expect(lockIsFree()).toBe(true);
    }
  });

  it('ends with the worker, however that ends', async () => {
    const script = `
      const { createSandbox } = require(${JSON.stringify(join(__dirname, 'index.ts'))});
      const sandbox = createSandbox({ mode: 'bubblewrap', production: true, runDir: ${JSON.stringify(host.runDir)}, searchPath: '' });
      const child = sandbox.spawn({ profile: 'workspace', paths: ${JSON.stringify(host.paths)}, command: ['/bin/bash', '-c', ${JSON.stringify(`${DETACHED} trap "" TERM INT; while :; do sleep 600; done`)}] });
      child.stdout.on('data', (chunk) => process.stdout.write(chunk));
    `;
    const worker = spawn(
      process.execPath,
      ['-r', join(__dirname, '../../test/register-typescript.cjs'), '-e', script],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let output = '';
    worker.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await waitFor(() => output.includes('ready'), { what: 'the sandbox of the worker is up' });
    const tree = descendantsOf(worker.pid ?? 0);
    expect(tree.length).toBeGreaterThanOrEqual(7);
    expect(lockIsFree()).toBe(false);
    worker.kill('SIGKILL');
    await waitFor(() => survivors(tree).length === 0, { what: 'the tree is gone', timeoutMs: 2_000 });
    await waitFor(lockIsFree, { what: 'the lock is free', timeoutMs: 1_000 });
  });

  describe('what a worker left that died', () => {
    it('while bubblewrap was starting waits for ever and holds the lock, until it is ended as an orphan', async () => {
      const fifo = join(host.directory, 'go');
      const pidFile = join(host.directory, 'pid');
      const bin = join(host.directory, 'bin');
      mkdirSync(bin);
      execFileSync('mkfifo', [fifo]);
      writeFileSync(
        join(bin, 'bwrap'),
        `#!/bin/sh\necho $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; read -r go < ${fifo}; exec bwrap "$@"\n`,
        { mode: 0o755 },
      );
      const script = `
        const { createSandbox } = require(${JSON.stringify(join(__dirname, 'index.ts'))});
        const sandbox = createSandbox({ mode: 'bubblewrap', production: true, runDir: ${JSON.stringify(host.runDir)}, bubblewrapPath: ${JSON.stringify(join(bin, 'bwrap'))}, searchPath: '' });
        sandbox.spawn({ profile: 'workspace', paths: ${JSON.stringify(host.paths)}, command: ['/bin/sleep', '600'] });
      `;
      const worker = spawn(
        process.execPath,
        ['-r', join(__dirname, '../../test/register-typescript.cjs'), '-e', script],
        { stdio: ['ignore', 'inherit', 'inherit'] },
      );
      await waitFor(() => existsSync(pidFile), { what: 'bubblewrap is about to start' });
      const outermost = readProcess(Number(readFileSync(pidFile, 'utf8')));
      const ended = once(worker, 'exit');
      worker.kill('SIGKILL');
      await ended;
      writeFileSync(fifo, 'go\n');
      await waitFor(() => survivors(outermost ? [outermost] : []).length === 0, { what: 'bubblewrap itself ended' });
      expect(outermost).not.toBeNull();
      expect(lockIsFree()).toBe(false);
      expect(await host.sandbox.killOrphans()).toEqual({ count: 1, gone: true });
      expect(lockIsFree()).toBe(true);
    });

    it('is known by its files, and no other is touched', async () => {
      const other = host.another({ filesDir: join(host.directory, 'other') });
      const theirs = await start('echo ready; sleep 600', { paths: { ...host.paths, lockFile: undefined } }, other);
      const ours = await start(`${DETACHED} wait`);
      expect((await host.sandbox.killOrphans()).gone).toBe(true);
      expect(await ours.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
      expect(survivors(descendantsOf(theirs.pid))).not.toEqual([]);
      expect(await host.sandbox.killOrphans()).toEqual({ count: 0, gone: true });
    });

    it('without a sandbox is ended too, with what detached itself', async () => {
      const none = host.another({ mode: 'none', production: false });
      await start(`${DETACHED} wait`, {}, none);
      const tree = readProcesses().filter(({ pid }) => environmentOf(pid).includes(`HOME=${host.runDir}/home`));
      expect(tree.length).toBeGreaterThanOrEqual(5);
      expect((await none.killOrphans()).gone).toBe(true);
      expect(survivors(tree)).toEqual([]);
    });
  });

  describe('the lock of a session', () => {
    it('is held while anything of the tree lives and free when it is gone', async () => {
      expect(lockIsFree()).toBe(true);
      const process = await start(`${DETACHED} read -r line`);
      expect(lockIsFree()).toBe(false);
      process.stdin.end();
      await process.exited;
      expect(lockIsFree()).toBe(true);
    });

    it('keeps a second tree out, which is refused and starts nothing', async () => {
      await start('echo ready; sleep 600');
      const second = await host.sandbox.run({
        profile: 'workspace',
        paths: host.paths,
        command: ['/bin/bash', '-c', 'touch /workspace/second'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
      expect(second).toMatchObject({ code: null, signal: null, lockBusy: true });
      expect(existsSync(join(host.paths.workspace, 'second'))).toBe(false);
    });

    it('cannot be let go from inside', async () => {
      await start(
        'for fd in /proc/self/fd/* /proc/1/fd/*; do flock -u $fd true; done 2>/dev/null; for n in 3 4 5 6 7 8 9; do flock -u $n; done 2>/dev/null; echo ready; sleep 600',
      );
      expect(lockIsFree()).toBe(false);
    });

    it('must be a file: the descriptor of a directory would lead out', () => {
      expect(() =>
        host.sandbox.spawn({
          profile: 'workspace',
          paths: { ...host.paths, lockFile: host.directory },
          command: ['/bin/true'],
        }),
      ).toThrow('it is no file');
    });

    it('is no business of a tree without one', async () => {
      await start('echo ready; sleep 600');
      expect(await host.text('echo beside')).toBe('beside');
    });

    it('tells a command that ends with the same code from a busy lock', async () => {
      const result = await host.sandbox.run({
        profile: 'workspace',
        paths: host.paths,
        command: ['/bin/bash', '-c', 'exit 222'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
      expect(result).toMatchObject({ code: 222, signal: null });
      expect(result.lockBusy).toBeUndefined();
    });
  });

  it('hands a signal to the command itself', async () => {
    const process = await start('trap "echo caught >&2; exit 5" INT; echo ready; while :; do sleep 0.05; done');
    let errors = '';
    process.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(process.signalClaude('SIGINT')).toBe(true);
    expect(await process.exited).toEqual({ code: 5, signal: null });
    expect(errors).toBe('caught\n');
    expect(process.signalClaude('SIGINT')).toBe(false);
  });

  it('clears away everything but the command', async () => {
    const process = await start(`${DETACHED} read -r line; echo "still here" > /workspace/after`);
    const strays = descendantsOf(process.pid).filter(
      ({ pid }) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep',
    );
    expect(strays.length).toBeGreaterThanOrEqual(3);
    expect(await process.killStrays()).toBe(true);
    expect(survivors(strays)).toEqual([]);
    process.stdin.end('go\n');
    expect(await process.exited).toEqual({ code: 0, signal: null });
    expect(readFileSync(join(host.paths.workspace, 'after'), 'utf8')).toBe('still here\n');
  });

  it('keeps up with a stray that forks away', async () => {
    const process = await start(
      `setsid bash -c 'while :; do ( setsid sleep 30 & ); done' & sleep 0.2; echo ready; read -r line`,
    );
    expect(await process.killStrays()).toBe(true);
    process.stdin.end();
    expect((await process.exited).code).toBe(1);
  });

  it('is ended when it takes too much memory, and says so', async () => {
    const small = host.another({ limits: { memoryBytes: 100 * 1024 * 1024 } });
    const process = await start(
      'perl -e \'$|=1; print "ready\\n"; $n = 150 * 1024 * 1024; $x = "x" x $n; sleep 600\'',
      {},
      small,
    );
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL', oom: true });
  });

  it('is ended when it fills its disk, in a closed directory too', async () => {
    const small = host.another({ limits: { diskBytes: 20 * 1024 * 1024 } });
    const process = await start(
      'mkdir d; head -c 30M /dev/zero > d/hidden; chmod 000 d; echo ready; sleep 600',
      {},
      small,
    );
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL', diskFull: true });
    execFileSync('chmod', ['755', join(host.paths.workspace, 'd')]);
  }, 15_000);

  it('ends although it stopped its own init and command', async () => {
    const process = await start('setsid sleep 600 & echo ready; kill -STOP 1 2>/dev/null; kill -STOP $$; sleep 600');
    process.killTree();
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(lockIsFree()).toBe(true);
  });

  describe('beside another that takes what it can get', () => {
    const FORKING =
      '$| = 1; for (1 .. 600) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 60; exit } $made++ } print $made <= 100 ? "bounded" : "unbounded $made", " ready\\n"; sleep 60';

    it('keeps all its processes: each sandbox is counted alone', async () => {
      const few = host.another({ limits: { processes: 100 } });
      let said = '';
      const greedy = few.spawn({
        profile: 'workspace',
        paths: { ...host.paths, lockFile: undefined },
        command: ['/usr/bin/perl', '-e', FORKING],
      });
      started.push(greedy);
      const limits = new Set<number>();
      greedy.onProcessLimit = (limit) => limits.add(limit);
      greedy.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await waitFor(() => said.includes('ready'), { what: 'the first sandbox has all that it gets' });
      await waitFor(() => limits.has(100), { what: 'the limit is named' });
      expect(said).toBe('bounded ready\n');
      const neighbour = await few.run({
        profile: 'workspace',
        paths: { ...host.paths, lockFile: undefined },
        command: ['/bin/bash', '-c', 'for i in $(seq 60); do sleep 0.1 & done; wait; echo all'],
        maxOutputBytes: 100,
        timeoutMs: 20_000,
      });
      expect({ code: neighbour.code, said: neighbour.stdout.toString(), wrong: neighbour.stderr.toString() }).toEqual({
        code: 0,
        said: 'all\n',
        wrong: '',
      });
    });

    it('cannot raise its own limit of processes', async () => {
      const [soft, hard] = (await host.text('ulimit -Su; ulimit -Hu')).split('\n');
      expect([soft, hard]).toEqual([String(DEFAULT_LIMITS.processes), String(DEFAULT_LIMITS.processes)]);
      expect((await host.sh('ulimit -u 4000')).code).not.toBe(0);
    });

    it('is ended when it takes the inotify instances of all', async () => {
      const few = host.another({ limits: { inotifyInstances: 4 } });
      const open =
        'use strict; my @held; for (1 .. 5) { push @held, syscall($ARGV[0] + 0, 0) } $| = 1; print "ready\\n"; sleep 60';
      // inotify_init1, by its number.
      const call = process.arch === 'x64' ? '294' : '26';
      const greedy = few.spawn({
        profile: 'workspace',
        paths: host.paths,
        command: ['/usr/bin/perl', '-e', open, call],
      });
      started.push(greedy);
      expect(await greedy.exited).toEqual({ code: null, signal: 'SIGKILL', tooManyWatches: true });
    });

    it('leaves the processor to the worker first', async () => {
      expect(await host.text('nice')).toBe(String(getPriority() + SANDBOX_NICENESS));
    });
  });

  it('goes first when the host itself runs out of memory', async () => {
    expect(await host.text('cat /proc/self/oom_score_adj /proc/1/oom_score_adj')).toBe('500\n500');
  });

  it('says in one sentence why it did not come up', async () => {
    const run = (request: Partial<SandboxRequest>) =>
      host.sandbox.run({
        profile: 'workspace',
        paths: host.paths,
        command: ['/bin/true'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
        ...request,
      });
    expect((await run({ paths: { ...host.paths, objects: '/nonexistent/objects' } })).startFailure).toContain(
      '/nonexistent/objects',
    );
    writeFileSync(join(host.directory, 'file'), '');
    expect(
      (await run({ paths: { ...host.paths, lockFile: join(host.directory, 'file', 'lock') } })).startFailure,
    ).toContain('cannot open lock file');
  });

  it('finds its programs again when they have moved', async () => {
    const programs = join(host.directory, 'programs');
    mkdirSync(programs);
    const bubblewrap = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    copyFileSync(bubblewrap, join(programs, 'bwrap'));
    const moved = host.another({ searchPath: `${programs}:${process.env['PATH'] ?? ''}` });
    const run = () =>
      moved.run({
        profile: 'workspace',
        paths: host.paths,
        command: ['/bin/true'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
    expect((await run()).code).toBe(0);
    rmSync(join(programs, 'bwrap'));
    expect(await run()).toMatchObject({ code: 0 });
  });

  it('reads only lines that bubblewrap wrote as its status', async () => {
    const process = await start('echo \'{ "exit-code": 0 }\' >&3; echo ready; exit 9');
    expect(await process.exited).toEqual({ code: 9, signal: null });
  });
});
