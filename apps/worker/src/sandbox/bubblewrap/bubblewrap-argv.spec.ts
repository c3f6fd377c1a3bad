import type { ProgramFile } from '../agent-program';
import { bubblewrapArgv, type BubblewrapPlan } from './bubblewrap-argv';
import { DEFAULT_LIMITS, processLimitArgv, prlimitArgv } from '../limits';
import { lockArgv } from '../host/lock-argv';

function showing(file: ProgramFile): BubblewrapPlan['program'] {
  return { inside: '/opt/agent/agent', interpreters: '/opt/agent/bin', file };
}

const plan: BubblewrapPlan = {
  profile: 'agent',
  paths: {
    workspace: '/data/s1/workspace',
    config: '/data/s1/config',
    objects: '/data/p1/objects',
    modelSocket: '/run/chi/m-1',
    extraReadOnly: [['/data/s1/prompt.md', '/opt/chirality/prompt.md']],
    lockFile: '/data/s1/lock',
  },
  uid: 10001,
  gid: 10002,
  systemRoots: [
    { path: '/bin', linkTarget: 'usr/bin' },
    { path: '/lib', linkTarget: null },
  ],
  etcDir: '/run/chi/etc',
  emptyFile: '/run/chi/empty',
  program: showing({ hostPath: '/srv/agent' }),
  limits: DEFAULT_LIMITS,
  descriptors: { status: 3, seccomp: 4, lock: 5 },
};

const text = (args: string[]): string => args.join(' ');

describe('the command line of bubblewrap', () => {
  it('is this, word for word, for a turn', () => {
    expect(text(bubblewrapArgv(plan)).replaceAll(' --', '\n--').split('\n')).toEqual([
      '--unshare-user',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
      '--unshare-cgroup-try',
      '--unshare-net',
      '--disable-userns',
      '--assert-userns-disabled',
      '--die-with-parent',
      '--new-session',
      '--cap-drop ALL',
      '--uid 10001',
      '--gid 10002',
      '--hostname sandbox',
      '--ro-bind /usr /usr',
      '--symlink usr/bin /bin',
      '--ro-bind /lib /lib',
      '--dir /etc',
      '--ro-bind-try /etc/ssl/certs /etc/ssl/certs',
      '--ro-bind-try /etc/alternatives /etc/alternatives',
      '--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache',
      '--ro-bind-try /etc/localtime /etc/localtime',
      '--ro-bind /run/chi/etc/passwd /etc/passwd',
      '--ro-bind /run/chi/etc/group /etc/group',
      '--ro-bind /run/chi/etc/nsswitch.conf /etc/nsswitch.conf',
      '--ro-bind /run/chi/etc/hosts /etc/hosts',
      '--ro-bind /srv/agent /opt/agent/agent',
      '--proc /proc',
      '--dev /dev',
      '--size 33554432',
      '--tmpfs /dev/shm',
      '--remount-ro /dev',
      '--size 268435456',
      '--perms 1777',
      '--tmpfs /tmp',
      '--size 33554432',
      '--tmpfs /home/agent',
      '--size 1048576',
      '--tmpfs /run',
      '--ro-bind /run/chi/m-1 /run/model.sock',
      '--ro-bind /data/p1/objects /project/objects',
      '--ro-bind /data/s1/prompt.md /opt/chirality/prompt.md',
      '--bind /data/s1/workspace /workspace',
      '--bind /data/s1/config /config',
      '--chdir /workspace',
      '--remount-ro /',
      '--json-status-fd 3',
      '--seccomp 4',
      '--sync-fd 5',
      '--',
    ]);
  });

  it('binds read-only what is asked to be, and no model for work on files', () => {
    const paths = {
      workspace: '/w',
      config: '/c',
      workspaceReadOnly: true,
      configReadOnly: true,
      extraReadWrite: [['/out', '/out']] as const,
    };
    const args = text(
      bubblewrapArgv({ ...plan, profile: 'workspace', paths, descriptors: { status: 3, seccomp: 4, lock: null } }),
    );
    expect(args).toContain('--bind /out /out --ro-bind /w /workspace --ro-bind /c /config');
    expect(args).not.toContain('model.sock');
    expect(args).not.toContain('--sync-fd');
    expect(() => bubblewrapArgv({ ...plan, profile: 'workspace' })).toThrow('no model socket');
  });

  it('lies over what is sealed, after the directory that holds it', () => {
    const args = text(
      bubblewrapArgv({
        ...plan,
        paths: { ...plan.paths, sealed: { directories: ['/config/plugins'], files: ['/config/settings.json'] } },
      }),
    );
    expect(args).toContain(
      '--bind /data/s1/config /config --size 4096 --perms 0555 --tmpfs /config/plugins --remount-ro /config/plugins --ro-bind /run/chi/empty /config/settings.json --chdir',
    );
  });

  it('binds scripts, and an interpreter that /usr does not have', () => {
    const byName = bubblewrapArgv({
      ...plan,
      program: showing({ hostPath: '/srv/fake', interpreter: { hostPath: '/opt/node/bin/node', name: 'node' } }),
    });
    expect(text(byName)).toContain(
      '--ro-bind /srv/fake /opt/agent/agent --ro-bind /opt/node/bin/node /opt/agent/bin/node',
    );
    const module = bubblewrapArgv({ ...plan, program: showing({ hostPath: '/srv/fake.mjs', isModule: true }) });
    expect(text(module)).toContain(
      '--ro-bind /srv/fake.mjs /opt/agent/agent.mjs --symlink /opt/agent/agent.mjs /opt/agent/agent',
    );
    const byPath = bubblewrapArgv({
      ...plan,
      program: showing({ hostPath: '/srv/fake', absoluteInterpreter: '/opt/x/python' }),
    });
    expect(text(byPath)).toContain('--ro-bind /opt/x/python /opt/x/python');
  });

  it('carries no environment: argv is readable by every user of the host', () => {
    expect(bubblewrapArgv(plan)).not.toContain('--setenv');
  });
});

it('limits each process by prlimit, without a limit on address space', () => {
  expect(prlimitArgv(DEFAULT_LIMITS)).toEqual([
    '--nofile=1024',
    '--fsize=2147483648',
    '--data=4294967296',
    '--core=0',
    '--cpu=3600',
    '--',
  ]);
});

it.each([
  ['6.1.0-18-amd64', ['/usr/bin/prlimit', '--nproc=512', '--']],
  ['5.14.0', ['/usr/bin/prlimit', '--nproc=512', '--']],
  ['5.10.0-28', []],
  ['4.19.0', []],
])('bounds processes inside on kernel %s only where they are counted for each sandbox', (release, argv) => {
  expect(processLimitArgv('/usr/bin/prlimit', DEFAULT_LIMITS, release)).toEqual(argv);
});

it('takes the lock without waiting, in the same process, and reports it by a distinct code', () => {
  expect(lockArgv('/usr/bin/flock', '/s/lock')).toEqual(['/usr/bin/flock', '-n', '-E', '222', '-F', '/s/lock']);
});
