import type { AgentProgram, ProgramFile } from '../agent-program';
import { INSIDE } from '../inside-paths';
import type { SystemRoot } from '../host/host-programs';
import type { SandboxLimits } from '../limits';
import type { SandboxPaths, SandboxProfile } from '../sandbox.types';

export interface BubblewrapPlan {
  profile: SandboxProfile;
  paths: SandboxPaths;
  uid: number;
  gid: number;
  systemRoots: readonly SystemRoot[];
  /** Directory of the made-up passwd, group, nsswitch.conf and hosts. */
  etcDir: string;
  /** Host path of what a sealed file is shown as. */
  emptyFile: string;
  /** What is shown where of the program that sandboxes are for. */
  program: Pick<AgentProgram, 'inside' | 'interpreters'> & { file: ProgramFile };
  limits: SandboxLimits;
  /** Host paths of the proxy's socket and of the program that leads to it. */
  egress?: { socketPath: string; bridge: string };
  descriptors: { status: number; seccomp: number; lock: number | null };
}

/**
 * The whole command line of bubblewrap up to and including `--`, from nothing but its argument.
 * Order matters: later mounts lie over earlier ones, and the root is made read-only last.
 */
export function bubblewrapArgv(plan: BubblewrapPlan): string[] {
  return [
    ...namespaces(plan),
    ...system(plan),
    ...agentProgram(plan.program),
    ...scratch(plan.limits),
    ...session(plan),
    ...['--chdir', INSIDE.workspace, '--remount-ro', '/'],
    ...descriptors(plan),
    '--',
  ];
}

function namespaces({ uid, gid }: BubblewrapPlan): string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net'],
    ...['--disable-userns', '--assert-userns-disabled', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--uid', String(uid), '--gid', String(gid), '--hostname', 'sandbox'],
  ];
}

function system({ systemRoots, etcDir }: BubblewrapPlan): string[] {
  const roots = systemRoots.flatMap(({ path, linkTarget }) =>
    linkTarget === null ? ['--ro-bind', path, path] : ['--symlink', linkTarget, path],
  );
  const hostEtc = ['/etc/ssl/certs', '/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'];
  const ownEtc = ['passwd', 'group', 'nsswitch.conf', 'hosts'];
  return [
    ...['--ro-bind', '/usr', '/usr', ...roots, '--dir', '/etc'],
    ...hostEtc.flatMap((path) => ['--ro-bind-try', path, path]),
    ...ownEtc.flatMap((name) => ['--ro-bind', `${etcDir}/${name}`, `/etc/${name}`]),
  ];
}

function agentProgram({ inside, interpreters, file }: BubblewrapPlan['program']): string[] {
  const module = `${inside}.mjs`;
  const args = file.isModule
    ? ['--ro-bind', file.hostPath, module, '--symlink', module, inside]
    : ['--ro-bind', file.hostPath, inside];
  if (file.interpreter) args.push('--ro-bind', file.interpreter.hostPath, `${interpreters}/${file.interpreter.name}`);
  if (file.absoluteInterpreter) args.push('--ro-bind', file.absoluteInterpreter, file.absoluteInterpreter);
  return args;
}

function scratch(limits: SandboxLimits): string[] {
  return [
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(limits.sharedMemoryBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(limits.temporaryBytes), '--perms', '1777', '--tmpfs', INSIDE.temporary],
    ...['--size', String(limits.homeBytes), '--tmpfs', INSIDE.home],
    ...['--size', '1048576', '--tmpfs', '/run'],
  ];
}

function session({ profile, paths, egress, emptyFile }: BubblewrapPlan): string[] {
  if (profile !== 'agent' && paths.modelSocket) throw new Error(`the ${profile} profile has no model socket`);
  if (profile === 'workspace' && egress) throw new Error('the workspace profile has no network');
  if (profile === 'transport' && (!egress || paths.config || paths.objects))
    throw new Error('the transport profile has a way out and one directory');
  const args: string[] = [];
  if (egress)
    args.push('--ro-bind', egress.socketPath, INSIDE.egressSocket, '--ro-bind', egress.bridge, INSIDE.egressBridge);
  if (paths.modelSocket) args.push('--ro-bind', paths.modelSocket, INSIDE.modelSocket);
  if (paths.objects) args.push('--ro-bind', paths.objects, INSIDE.objects);
  for (const [host, inside] of paths.extraReadOnly ?? []) args.push('--ro-bind', host, inside);
  for (const [host, inside] of paths.extraReadWrite ?? []) args.push('--bind', host, inside);
  args.push(paths.workspaceReadOnly ? '--ro-bind' : '--bind', paths.workspace, INSIDE.workspace);
  if (paths.config) args.push(paths.configReadOnly ? '--ro-bind' : '--bind', paths.config, INSIDE.config);
  return [...args, ...sealed(paths, emptyFile)];
}

function sealed(
  { sealed: { directories, files } = { directories: [], files: [] } }: SandboxPaths,
  emptyFile: string,
): string[] {
  return [
    ...directories.flatMap((path) => ['--size', '4096', '--perms', '0555', '--tmpfs', path, '--remount-ro', path]),
    ...files.flatMap((path) => ['--ro-bind', emptyFile, path]),
  ];
}

function descriptors({ descriptors: { status, seccomp, lock } }: BubblewrapPlan): string[] {
  const args = ['--json-status-fd', String(status), '--seccomp', String(seccomp)];
  if (lock !== null) args.push('--sync-fd', String(lock));
  return args;
}
