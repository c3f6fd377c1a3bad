import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, lstatSync, openSync } from 'node:fs';
import { release } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import type { AgentProgram, ProgramFile } from '../agent-program';
import { bubblewrapArgv } from './bubblewrap-argv';
import { BubblewrapProcess } from './bubblewrap-process';
import { diskReader } from '../process/disk-reader';
import { authorityEnvironment, EGRESS_TOKEN_VARIABLE, proxyEnvironment, withEgressBridge } from './egress-bridge';
import { PROCESS_LIMIT_REACHED } from './failure-sentence';
import { findProgram, isExecutable, readSystemRoots, type SystemRoot } from '../host/host-programs';
import { INSIDE } from '../inside-paths';
import { inheritedDescriptors } from './inherited-descriptors';
import {
  countsByNamespace,
  nicenessArgv,
  oomScoreArgv,
  processLimitArgv,
  prlimitArgv,
  type SandboxLimits,
} from '../limits';
import { lockArgv } from '../host/lock-argv';
import { killOrphans } from '../process/orphan-killer';
import { ResourceWatch } from '../process/resource-watch';
import { shownFile, writeRunFiles, type RunFiles } from './run-files';
import { sandboxEnvironment } from '../host/sandbox-environment';
import { SandboxUnavailableError, SECRET_DESCRIPTOR, type SandboxPaths, type SandboxRequest } from '../sandbox.types';

const STATUS = 3;
const SECCOMP = 4;
const FIRST_FREE = 5;
const PERL = '/usr/bin/perl';
/** A sandbox shows the host's /usr. */
const PRLIMIT_INSIDE = '/usr/bin/prlimit';

interface BubblewrapSettings {
  /** Of this worker's own. */
  filesDir: string;
  searchPath: string;
  program: AgentProgram;
  bubblewrapPath?: string | null;
  authorities?: string | null;
  limits: SandboxLimits;
}

/** What a host must have before anything can be started; found once, and again when a probe is repeated. */
interface Host {
  programs: { choom: string; nice: string; prlimit: string; flock: string; bwrap: string };
  systemRoots: SystemRoot[];
  runFiles: RunFiles;
  programFile: ProgramFile;
  uid: number;
  gid: number;
}

export class BubblewrapLauncher {
  private host: Host | null = null;
  private readonly watch: ResourceWatch;

  constructor(private readonly settings: BubblewrapSettings) {
    this.watch = new ResourceWatch(settings.limits, diskReader(), countsByNamespace(release()));
  }

  /** Looks at the host again. Throws SandboxUnavailableError with one sentence when something is missing. */
  prepare(): void {
    this.host = null;
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    if (uid === undefined || gid === undefined) throw new SandboxUnavailableError('bubblewrap needs Linux.');
    // As root the sandboxed process can write to the host's /proc/sys, whatever else bubblewrap is asked to do.
    if (uid === 0)
      throw new SandboxUnavailableError(
        'The worker runs as root, and a sandbox started by root is none. Start it as an ordinary user.',
      );
    const { filesDir, searchPath, program, bubblewrapPath } = this.settings;
    this.host = {
      programs: {
        choom: findProgram('choom', null, searchPath),
        nice: findProgram('nice', null, searchPath),
        prlimit: findProgram('prlimit', null, searchPath),
        flock: findProgram('flock', null, searchPath),
        bwrap: findProgram('bwrap', bubblewrapPath, searchPath),
      },
      systemRoots: readSystemRoots(),
      runFiles: writeRunFiles(filesDir, uid, gid),
      programFile: program.locate(),
      uid,
      gid,
    };
  }

  /** See Sandbox.killOrphans. Every sandbox is shown this file, and nothing else names it as an argument. */
  killOrphans(): Promise<{ count: number; gone: boolean }> {
    return killOrphans(shownFile(this.settings.filesDir), 'cmdline');
  }

  /** Starts the command. Throws SandboxUnavailableError when no process could be made. */
  spawn({
    profile,
    paths,
    command,
    env = {},
    variables,
    egress,
    secret,
    diskBytes,
  }: SandboxRequest): BubblewrapProcess {
    // --die-with-parent follows the thread that spawned, so it must be the one that lives as long as the process.
    if (!isMainThread) throw new SandboxUnavailableError('Sandboxes can only be started from the main thread.');
    // A program that an upgrade moved may be found elsewhere.
    if (!this.host || !Object.values(this.host.programs).every(isExecutable)) this.prepare();
    const { host } = this;
    const { program } = this.settings;
    if (!host) throw new SandboxUnavailableError('The sandbox was not prepared.');
    if (paths.lockFile) refuseDirectory(paths.lockFile);
    if (profile === 'transport' && variables) throw new Error('the transport profile is given no variables');
    if (profile !== 'transport' && secret !== undefined) throw new Error(`the ${profile} profile is given no secret`);
    if (paths.lockFile && secret !== undefined) throw new Error('a lock has the descriptor of a secret');
    const leaks = inheritedDescriptors().filter((descriptor) => descriptor >= FIRST_FREE);
    const authorities = profile === 'agent' && egress ? (this.settings.authorities ?? null) : null;
    const argv = bubblewrapArgv({
      profile,
      paths: authorities === null ? paths : withAuthorities(paths, authorities),
      uid: host.uid,
      gid: host.gid,
      systemRoots: host.systemRoots,
      etcDir: host.runFiles.etcDir,
      emptyFile: host.runFiles.emptyFile,
      program: { inside: program.inside, interpreters: program.interpreters, file: host.programFile },
      limits: this.settings.limits,
      ...(egress ? { egress: { socketPath: egress.socketPath, bridge: host.runFiles.egressBridge } } : {}),
      descriptors: { status: STATUS, seccomp: SECCOMP, lock: paths.lockFile ? lowestFree(leaks) : null },
    });
    const lock = paths.lockFile ? lockArgv(host.programs.flock, paths.lockFile) : [];
    const inner = egress ? withEgressBridge(requirePerl(), command) : command;
    const bounded = [
      ...processLimitArgv(requireInside(PRLIMIT_INSIDE, 'util-linux'), this.settings.limits, release()),
      ...inner,
    ];
    const args = [
      ...oomScoreArgv(),
      host.programs.nice,
      ...nicenessArgv(),
      host.programs.prlimit,
      ...prlimitArgv(this.settings.limits),
      ...lock,
      host.programs.bwrap,
      ...argv,
      ...bounded,
    ];
    const proxy = egress ? { ...proxyEnvironment(), [EGRESS_TOKEN_VARIABLE]: egress.token } : {};
    const trusted = authorities === null ? {} : authorityEnvironment();
    const child = this.start(
      host.programs.choom,
      args,
      { ...sandboxEnvironment(program, env, variables), ...proxy, ...trusted },
      host.runFiles.seccompFile,
      { leaks, secret },
    );
    const started = new BubblewrapProcess(child, child.stdio[STATUS] as Readable, egress !== undefined);
    this.watch.add(started, writablePaths(paths), diskBytes);
    return started;
  }

  private openRunFile(path: string): number {
    try {
      return openSync(path, 'r');
    } catch {
      // Something cleared the run directory: the next start writes its files again.
      this.host = null;
      throw new SandboxUnavailableError(`${path} is gone; its directory must not be cleared while the worker runs.`);
    }
  }

  private start(
    program: string,
    args: string[],
    env: Record<string, string>,
    seccompFile: string,
    { leaks, secret }: { leaks: number[]; secret: string | undefined },
  ) {
    const seccomp = this.openRunFile(seccompFile);
    const nothing = openSync('/dev/null', 'r+');
    try {
      const stdio: Array<'pipe' | number | undefined> = ['pipe', 'pipe', 'pipe', 'pipe', seccomp];
      // Descriptors that this process got without close-on-exec would be open inside: cover them.
      for (const descriptor of leaks) stdio[descriptor] = nothing;
      if (secret !== undefined) stdio[SECRET_DESCRIPTOR] = 'pipe';
      const child = spawn(program, args, {
        env,
        cwd: '/',
        detached: true,
        stdio: Array.from(stdio, (entry) => entry ?? 'ignore'),
      });
      const started = requireStarted(child);
      if (secret !== undefined) handOver(child, secret);
      return started;
    } finally {
      closeSync(seccomp);
      closeSync(nothing);
    }
  }
}

/**
 * The lock's descriptor can be reached from inside as /proc/1/fd/N: of a file that is one file to write to, of a
 * directory it would be the way to the whole host.
 */
function refuseDirectory(lockFile: string): void {
  if (existsSync(lockFile) && !lstatSync(lockFile).isFile())
    throw new SandboxUnavailableError(`${lockFile} is to be a session's lock, but it is no file.`);
}

/** A sandbox shows the host's /usr, so what runs inside must be there. */
function requirePerl(): string {
  if (!isExecutable(PERL))
    throw new SandboxUnavailableError(
      `${PERL} is needed to reach hosts from a sandbox, and is not there. Install the package perl-base, or empty the project's list of hosts.`,
    );
  return PERL;
}

function requireInside(path: string, packageName: string): string {
  if (!isExecutable(path))
    throw new SandboxUnavailableError(
      `${path} is needed inside a sandbox, and is not there. Install the package ${packageName}.`,
    );
  return path;
}

function withAuthorities(paths: SandboxPaths, file: string): SandboxPaths {
  return { ...paths, extraReadOnly: [...(paths.extraReadOnly ?? []), [file, INSIDE.authorities]] };
}

/** Host paths that the agent can fill. */
function writablePaths({
  workspace,
  workspaceReadOnly,
  config,
  configReadOnly,
  extraReadWrite = [],
  lockFile,
}: SandboxPaths): string[] {
  const paths = [
    workspaceReadOnly ? null : workspace,
    configReadOnly ? null : config,
    ...extraReadWrite.map(([host]) => host),
    lockFile,
  ];
  return paths.filter((path) => typeof path === 'string');
}

function lowestFree(taken: readonly number[]): number {
  let descriptor = FIRST_FREE;
  while (taken.includes(descriptor)) descriptor += 1;
  return descriptor;
}

/** A socket rather than a file: what was read from it is nowhere, and no other process can open it. */
function handOver(child: ChildProcess, secret: string): void {
  const descriptor = (child.stdio as (Writable | null)[])[SECRET_DESCRIPTOR];
  if (!descriptor) throw new Error('a command was started without the descriptor of its secret');
  // A command that ends before it reads is an outcome, not an error.
  descriptor.on('error', () => undefined);
  descriptor.end(secret);
}

function requireStarted(child: ChildProcess) {
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || !stdin || !stdout || !stderr) {
    child.once('error', () => undefined);
    throw new SandboxUnavailableError(PROCESS_LIMIT_REACHED);
  }
  return Object.assign(child, { pid, stdin, stdout, stderr });
}
