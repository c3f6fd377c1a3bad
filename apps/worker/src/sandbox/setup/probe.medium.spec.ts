import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import { CLAUDE_PROGRAM, claudeProgram } from '../../harness/claude-code/claude-program';
import { readClaudeVersion } from '../../harness/claude-code/claude-version';
import { createSandbox } from './create-sandbox';
import { SandboxUnavailableError } from '../sandbox.types';

describeAsOrdinaryUser('proving the sandbox', () => {
  let host: SandboxHost;
  beforeEach(() => (host = makeSandboxHost()));
  afterEach(() => host.remove());

  /** A bwrap that changes its arguments before it becomes the real one. */
  function bwrapThat(edit: string): string {
    const path = join(host.directory, 'bwrap');
    writeFileSync(path, `#!/bin/bash\nargs=()\n${edit}\nexec /usr/bin/bwrap "\${args[@]}"\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('succeeds here, in little time, and keeps what it needs: the next one makes nothing', async () => {
    const startedAt = performance.now();
    expect(await host.sandbox.probe()).toEqual({ ok: true, kind: 'bubblewrap' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const kept = readdirSync(host.runDir, { recursive: true }).sort();
    const inodes = kept.map((path) => statSync(join(host.runDir, String(path))).ino);
    expect(kept.filter((path) => !String(path).includes('/'))).toEqual([
      'egress-bridge.pl',
      'empty',
      'etc',
      expect.stringMatching(/^probe-\w{8}$/),
      'seccomp.bpf',
    ]);
    expect(await host.sandbox.probe()).toEqual({ ok: true, kind: 'bubblewrap' });
    expect(readdirSync(host.runDir, { recursive: true }).sort()).toEqual(kept);
    expect(kept.map((path) => statSync(join(host.runDir, String(path))).ino)).toEqual(inodes);
  });

  it.each([
    [
      'no filter',
      'while (($#)); do case "$1" in --seccomp) shift 2;; *) args+=("$1"); shift;; esac; done',
      'the system call filter is not active',
    ],
    [
      'the network',
      'for a in "$@"; do [ "$a" = --unshare-net ] || args+=("$a"); done',
      'a network interface other than loopback is visible',
    ],
    [
      'processes of the host',
      'for a in "$@"; do [ "$a" = --unshare-pid ] || args+=("$a"); done',
      'processes of the host are visible',
    ],
    [
      'user namespaces',
      'for a in "$@"; do case "$a" in --disable-userns|--assert-userns-disabled) ;; *) args+=("$a");; esac; done; for ((i=0;i<${#args[@]};i++)); do [ "${args[i]}" = --seccomp ] && unset "args[i]" "args[i+1]"; done',
      'a further user namespace can be made',
    ],
    [
      'a writable root',
      'for ((i=1;i<=$#;i++)); do if [ "${!i}" = --remount-ro ]; then ((i++)); else args+=("${!i}"); fi; done',
      'the root directory can be written',
    ],
    [
      'a model that is not there',
      'while (($#)); do if [ "$1" = --ro-bind ] && [ "$3" = /run/model.sock ]; then shift 3; else args+=("$1"); shift; fi; done',
      'the model gateway cannot be reached',
    ],
    [
      'a workspace that is read-only',
      'while (($#)); do if [ "$1" = --bind ] && [ "$3" = /workspace ]; then args+=(--ro-bind); else args+=("$1"); fi; shift; done',
      'the workspace cannot be written',
    ],
  ])('does not hold with %s', async (_name, edit, sentence) => {
    const weak = host.another({ bubblewrapPath: bwrapThat(edit) });
    expect(await weak.probe()).toEqual({ ok: false, detail: expect.stringContaining(sentence) });
  });

  it('fails with one sentence where bubblewrap is missing, cannot run or does nothing', async () => {
    expect(await host.another({ bubblewrapPath: '/nonexistent/bwrap' }).probe()).toEqual({
      ok: false,
      detail: '/nonexistent/bwrap is configured as bwrap, but this user cannot execute it.',
    });
    expect(await host.another({ bubblewrapPath: bwrapThat('exit 1') }).probe()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('could not be set up'),
    });
    expect(await host.another({ bubblewrapPath: '/usr/bin/true' }).probe()).toMatchObject({ ok: false });
    expect(await host.another({ program: claudeProgram('/nonexistent/claude') }).probe()).toEqual({
      ok: false,
      detail: '/nonexistent/claude cannot be reached; it is needed to run claude.',
    });
    expect(() =>
      host
        .another({ bubblewrapPath: '/nonexistent/bwrap' })
        .spawn({ profile: 'workspace', paths: host.paths, command: ['/bin/true'] }),
    ).toThrow(SandboxUnavailableError);
  });

  it('finds bubblewrap where the search path says, and looks again each time', async () => {
    const late = host.another({ bubblewrapPath: join(host.directory, 'bwrap') });
    expect(await late.probe()).toMatchObject({ ok: false });
    bwrapThat('args=("$@")');
    expect(await late.probe()).toEqual({ ok: true, kind: 'bubblewrap' });
    expect(await host.another({ searchPath: [host.directory, 'relative'].join(delimiter) }).probe()).toEqual({
      ok: true,
      kind: 'bubblewrap',
    });
  });

  it('knows the version of the program', async () => {
    expect(await readClaudeVersion(host.sandbox)).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await readClaudeVersion(host.another({ program: claudeProgram('/usr/bin/true') }))).toBeNull();
    expect(await readClaudeVersion(host.another({ program: claudeProgram('/nonexistent') }))).toBeNull();
    expect(readdirSync(host.runDir).sort()).toEqual([
      'egress-bridge.pl',
      'empty',
      'etc',
      'seccomp.bpf',
      expect.stringMatching(/^version-\w{8}$/),
    ]);
  });

  it('runs a program that is a script', async () => {
    mkdirSync(join(host.directory, 'fake'));
    const path = join(host.directory, 'fake', 'claude.mjs');
    writeFileSync(
      path,
      '#!/usr/bin/env node\nimport process from "node:process";\nconsole.log(JSON.stringify({ argv: process.argv.slice(2), config: process.env.CLAUDE_CONFIG_DIR }));\n',
    );
    chmodSync(path, 0o755);
    const sandbox = host.another({ program: claudeProgram(path) });
    expect(await sandbox.probe()).toMatchObject({ ok: true });
    const result = await sandbox.run({
      profile: 'agent',
      paths: host.paths,
      command: [CLAUDE_PROGRAM, '-p', 'a b'],
      env: { CLAUDE_CONFIG_DIR: '/config' },
      maxOutputBytes: 1_000,
      timeoutMs: 10_000,
    });
    expect(JSON.parse(result.stdout.toString())).toEqual({ argv: ['-p', 'a b'], config: '/config' });
  });
});

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

itAsRoot('refuses to start a sandbox as root', async () => {
  const host = makeSandboxHost();
  expect(await host.sandbox.probe()).toEqual({
    ok: false,
    detail: 'The worker runs as root, and a sandbox started by root is none. Start it as an ordinary user.',
  });
  expect(() => host.sandbox.spawn({ profile: 'workspace', paths: host.paths, command: ['/bin/true'] })).toThrow(
    'runs as root',
  );
  host.remove();
});

describe('running without a sandbox', () => {
  const settings = { mode: 'none' as const, runDir: '/tmp', searchPath: '', program: claudeProgram() };

  it('is refused in production', () => {
    expect(() => createSandbox({ ...settings, production: true })).toThrow('refused in production');
  });

  it('translates paths, keeps the lock and the environment, and ends the tree', async () => {
    const host = makeSandboxHost({ mode: 'none', production: false });
    writeFileSync(join(host.paths.workspace, 'a'), 'content');
    const result = await host.sandbox.run({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/cat', '/workspace/a'],
      env: { A_SECRET: 'x' },
      maxOutputBytes: 100,
      timeoutMs: 10_000,
    });
    expect([result.code, result.stdout.toString()]).toEqual([0, 'content']);
    const holder = host.sandbox.spawn({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', 'sleep 600 & setsid sleep 601 & echo $CLAUDE_CONFIG_DIR; env; wait'],
      env: { CLAUDE_CONFIG_DIR: '/config', A_SECRET: 'x' },
    });
    const [first] = (await once(holder.stdout, 'data')) as [Buffer];
    expect(first.toString().split('\n')[0]).toBe(host.paths.config);
    expect(first.toString()).not.toContain('A_SECRET');
    expect(
      await host.sandbox.run({
        profile: 'workspace',
        paths: host.paths,
        command: ['/bin/true'],
        maxOutputBytes: 100,
        timeoutMs: 10_000,
      }),
    ).toMatchObject({ lockBusy: true });
    holder.killTree();
    expect(await holder.exited).toEqual({ code: null, signal: 'SIGKILL' });
    host.remove();
  });

  it('says that it is none', async () => {
    const sandbox = createSandbox({ ...settings, production: false });
    expect(sandbox.kind).toBe('none');
    expect(await sandbox.probe()).toEqual({ ok: true, kind: 'none' });
  });
});
