import { execFileSync, spawnSync } from 'node:child_process';
import { serverIdentity } from './guarded-process';

/** One change of what a process finds in its file system, for it and its children alone. */
type OwnMount = { directory: string; bytes: number } | { hidden: string };

/**
 * A command line that gives the command after it these mounts, as the same user and under the same pid: small disks
 * at directories, and files that can no longer be read or executed. An ordinary user may do that in a private
 * user namespace.
 */
export function withOwnMounts(mounts: readonly OwnMount[]): string[] {
  const { uid, gid } = serverIdentity() ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const commands = mounts.map((mount) =>
    'hidden' in mount
      ? `/usr/bin/mount --bind /dev/null '${mount.hidden}'`
      : `/usr/bin/mount -t tmpfs -o size=${mount.bytes},mode=700 none '${mount.directory}'`,
  );
  // Mounting needs the namespace's root; whatever runs then is to be an ordinary user again.
  const script = [...commands, `exec /usr/bin/unshare --user --map-user=${uid} --map-group=${gid} -- "$@"`].join(
    ' && ',
  );
  return ['/usr/bin/unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c', script, 'sh'];
}

/** Whether this machine lets an ordinary user do that. */
export function canHaveOwnMounts(): boolean {
  const [program = '', ...args] = [...withOwnMounts([{ directory: '/mnt', bytes: 1024 * 1024 }]), 'true'];
  return spawnSync(program, args, serverIdentity() ?? {}).status === 0;
}

/** Fills a disk to its last byte with a file at that path, as the servers' user; answers a way to make room again. */
export function fillDisk(path: string): () => void {
  const as = serverIdentity() ?? {};
  const { stderr } = spawnSync('cp', ['/dev/zero', path], { ...as, encoding: 'utf8' });
  if (!stderr.includes('No space left on device')) throw new Error(`the disk was not filled: ${stderr}`);
  return () => void execFileSync('rm', [path], as);
}
