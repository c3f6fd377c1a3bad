import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { DETACHED, SandboxTrees, survivors } from '../../../test/sandbox-trees';
import { descendantsOf } from '../process/process-table';
import type { SandboxRequest } from '../sandbox.types';

describeAsOrdinaryUser('the life of a sandboxed tree', () => {
  const trees = new SandboxTrees();

  it('runs a command, feeds it and takes both outputs and its code', async () => {
    const result = await trees.host.sandbox.run({
      profile: 'workspace',
      paths: trees.host.paths,
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
    const result = await trees.host.sandbox.run({
      profile: 'workspace',
      paths: trees.host.paths,
      command: ['/bin/bash', '-c', 'head -c 3M /dev/zero; echo end > /workspace/end'],
      maxOutputBytes: 1_000,
      timeoutMs: 10_000,
    });
    expect([result.code, result.stdout.length, result.truncated]).toEqual([0, 1_000, true]);
    expect(existsSync(join(trees.host.paths.workspace, 'end'))).toBe(true);
  });

  it('kills what takes too long', async () => {
    const result = await trees.host.sandbox.run({
      profile: 'workspace',
      paths: trees.host.paths,
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
    const process = await trees.start(`${DETACHED} wait`);
    const tree = descendantsOf(process.pid);
    expect(tree.length).toBeGreaterThanOrEqual(6);
    process.killTree();
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(survivors(tree)).toEqual([]);
  });

  it('ends as a whole when the command exits and leaves children behind', async () => {
    const process = await trees.start(`${DETACHED} read -r line; exit 3`);
    const tree = descendantsOf(process.pid);
    process.stdin.end('go\n');
    expect(await process.exited).toEqual({ code: 3, signal: null });
    expect(survivors(tree)).toEqual([]);
  });

  it('is killed cleanly in its very first moments', async () => {
    for (const afterMs of [0, 1, 2, 3, 5, 8]) {
      const process = trees.host.sandbox.spawn({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/bin/sleep', '600'],
      });
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      process.killTree();
      expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
      expect(trees.lockIsFree()).toBe(true);
    }
  });

  it('ends although it stopped its own init and command', async () => {
    const process = await trees.start(
      'setsid sleep 600 & echo ready; kill -STOP 1 2>/dev/null; kill -STOP $$; sleep 600',
    );
    process.killTree();
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(trees.lockIsFree()).toBe(true);
  });

  it('hands a signal to the command itself', async () => {
    const process = await trees.start('trap "echo caught >&2; exit 5" INT; echo ready; while :; do sleep 0.05; done');
    let errors = '';
    process.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(process.signalProgram('SIGINT')).toBe(true);
    expect(await process.exited).toEqual({ code: 5, signal: null });
    expect(errors).toBe('caught\n');
    expect(process.signalProgram('SIGINT')).toBe(false);
  });

  it('clears away everything but the command', async () => {
    const process = await trees.start(`${DETACHED} read -r line; echo "still here" > /workspace/after`);
    const strays = descendantsOf(process.pid).filter(
      ({ pid }) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep',
    );
    expect(strays.length).toBeGreaterThanOrEqual(3);
    expect(await process.killStrays()).toBe(true);
    expect(survivors(strays)).toEqual([]);
    process.stdin.end('go\n');
    expect(await process.exited).toEqual({ code: 0, signal: null });
    expect(readFileSync(join(trees.host.paths.workspace, 'after'), 'utf8')).toBe('still here\n');
  });

  it('keeps up with a stray that forks away', async () => {
    const process = await trees.start(
      `setsid bash -c 'while :; do ( setsid sleep 30 & ); done' & sleep 0.2; echo ready; read -r line`,
    );
    expect(await process.killStrays()).toBe(true);
    process.stdin.end();
    expect((await process.exited).code).toBe(1);
  });

  it('says in one sentence why it did not come up', async () => {
    const run = (request: Partial<SandboxRequest>) =>
      trees.host.sandbox.run({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/bin/true'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
        ...request,
      });
    expect((await run({ paths: { ...trees.host.paths, objects: '/nonexistent/objects' } })).startFailure).toContain(
      '/nonexistent/objects',
    );
    writeFileSync(join(trees.host.directory, 'file'), '');
    expect(
      (await run({ paths: { ...trees.host.paths, lockFile: join(trees.host.directory, 'file', 'lock') } }))
        .startFailure,
    ).toContain('cannot open lock file');
  });

  it('finds its programs again when they have moved', async () => {
    const programs = join(trees.host.directory, 'programs');
    mkdirSync(programs);
    const bubblewrap = execFileSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).trim();
    copyFileSync(bubblewrap, join(programs, 'bwrap'));
    const moved = trees.host.another({ searchPath: `${programs}:${process.env['PATH'] ?? ''}` });
    const run = () =>
      moved.run({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/bin/true'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      });
    expect((await run()).code).toBe(0);
    rmSync(join(programs, 'bwrap'));
    expect(await run()).toMatchObject({ code: 0 });
  });

  it('reads only lines that bubblewrap wrote as its status', async () => {
    const process = await trees.start('echo \'{ "exit-code": 0 }\' >&3; echo ready; exit 9');
    expect(await process.exited).toEqual({ code: 9, signal: null });
  });
});
