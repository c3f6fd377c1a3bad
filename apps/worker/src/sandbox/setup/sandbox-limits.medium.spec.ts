import { execFileSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@chirality/testing';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { SandboxTrees } from '../../../test/sandbox-trees';
import { DEFAULT_LIMITS, SANDBOX_NICENESS } from '../limits';

describeAsOrdinaryUser('the limits of a sandboxed tree', () => {
  const trees = new SandboxTrees();

  it('is ended when it takes too much memory, and says so', async () => {
    const small = trees.host.another({ limits: { memoryBytes: 100 * 1024 * 1024 } });
    const process = await trees.start(
      'perl -e \'$|=1; print "ready\\n"; $n = 150 * 1024 * 1024; $x = "x" x $n; sleep 600\'',
      {},
      small,
    );
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL', oom: true });
  });

  it('is ended when it fills its disk, in a closed directory too', async () => {
    const small = trees.host.another({ limits: { diskBytes: 20 * 1024 * 1024 } });
    const process = await trees.start(
      'mkdir d; head -c 30M /dev/zero > d/hidden; chmod 000 d; echo ready; sleep 600',
      {},
      small,
    );
    expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL', diskFull: true });
    execFileSync('chmod', ['755', join(trees.host.paths.workspace, 'd')]);
  }, 15_000);

  describe('beside another that takes what it can get', () => {
    const FORKING =
      '$| = 1; for (1 .. 600) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 60; exit } $made++ } print $made <= 100 ? "bounded" : "unbounded $made", " ready\\n"; sleep 60';

    it('keeps all its processes: each sandbox is counted alone', async () => {
      const few = trees.host.another({ limits: { processes: 100 } });
      let said = '';
      const greedy = few.spawn({
        profile: 'workspace',
        paths: { ...trees.host.paths, lockFile: undefined },
        command: ['/usr/bin/perl', '-e', FORKING],
      });
      trees.add(greedy);
      const limits = new Set<number>();
      greedy.onProcessLimit = (limit) => limits.add(limit);
      greedy.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await waitFor(() => said.includes('ready'), { what: 'the first sandbox has all that it gets' });
      await waitFor(() => limits.has(100), { what: 'the limit is named' });
      expect(said).toBe('bounded ready\n');
      const neighbour = await few.run({
        profile: 'workspace',
        paths: { ...trees.host.paths, lockFile: undefined },
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
      const [soft, hard] = (await trees.host.text('ulimit -Su; ulimit -Hu')).split('\n');
      expect([soft, hard]).toEqual([String(DEFAULT_LIMITS.processes), String(DEFAULT_LIMITS.processes)]);
      expect((await trees.host.sh('ulimit -u 4000')).code).not.toBe(0);
    });

    it('is ended when it takes the inotify instances of all', async () => {
      const few = trees.host.another({ limits: { inotifyInstances: 4 } });
      const open =
        'use strict; my @held; for (1 .. 5) { push @held, syscall($ARGV[0] + 0, 0) } $| = 1; print "ready\\n"; sleep 60';
      // inotify_init1, by its number.
      const call = process.arch === 'x64' ? '294' : '26';
      const greedy = few.spawn({
        profile: 'workspace',
        paths: trees.host.paths,
        command: ['/usr/bin/perl', '-e', open, call],
      });
      trees.add(greedy);
      expect(await greedy.exited).toEqual({ code: null, signal: 'SIGKILL', tooManyWatches: true });
    });

    it('leaves the processor to the worker first', async () => {
      expect(await trees.host.text('nice')).toBe(String(getPriority() + SANDBOX_NICENESS));
    });
  });

  it('goes first when the host itself runs out of memory', async () => {
    expect(await trees.host.text('cat /proc/self/oom_score_adj /proc/1/oom_score_adj')).toBe('500\n500');
  });
});
