import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { describeAsOrdinaryUser, makeSandboxHost, type SandboxHost } from '../../../test/sandbox-host';
import { SYSCALLS } from '../bubblewrap/seccomp-syscalls';

const EPERM = 1;
const EAFNOSUPPORT = 97;
const numbers = process.arch === 'arm64' ? SYSCALLS.arm64 : SYSCALLS.x64;

describeAsOrdinaryUser('escaping from the sandbox', () => {
  let host: SandboxHost;
  let server: Server;
  let abstract: Server;

  beforeAll(async () => {
    process.env['CANARY_SECRET'] = 'the-worker-canary';
    host = makeSandboxHost();
    mkdirSync(join(host.directory, 'sibling'));
    writeFileSync(join(host.directory, 'sibling', 'secret'), 'of another session');
    server = createServer((socket) => socket.end('reached'));
    abstract = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => abstract.listen('\0chirality-escape-test', resolve));
  });
  afterAll(() => {
    delete process.env['CANARY_SECRET'];
    server.close();
    abstract.close();
    host.remove();
  });

  /** errno of a system call made inside; 0 when it succeeded. */
  async function errnoOf(number: number, ...args: Array<number | string>): Promise<number> {
    const variables = args.map((arg, index) => `$a${index} = ${typeof arg === 'string' ? `"${arg}"` : arg};`).join(' ');
    const names = args.map((_arg, index) => `$a${index}`).join(', ');
    return Number(
      await host.text(`perl -e '${variables} $r = syscall(${number}, ${names}); print $r == -1 ? $!+0 : 0'`),
    );
  }

  it('sees no directory of the host but its own', async () => {
    expect((await host.text('ls /')).split('\n')).toEqual(
      expect.not.arrayContaining(['root', 'var', 'sys', 'boot', 'srv', 'data']),
    );
    expect(await host.text(`ls ${host.directory} ${process.cwd()} /root /var /sys /home 2>/dev/null; true`)).toBe(
      '/home:\nagent',
    );
    expect(await host.text('ls -A /home/agent /tmp /run /dev/shm')).toBe('/dev/shm:\n\n/home/agent:\n\n/run:\n\n/tmp:');
    expect((await host.text('ls /etc')).split('\n')).toEqual(
      expect.not.arrayContaining(['shadow', 'hostname', 'resolv.conf', 'ssh']),
    );
  });

  it('knows one user, which is its own on the outside too', async () => {
    expect(await host.text('id -u; cut -d: -f1 /etc/passwd; whoami')).toBe(`${process.getuid?.()}\nagent\nagent`);
  });

  it('cannot write to the system, the program or what is bound read-only', async () => {
    const objects = join(host.directory, 'objects');
    mkdirSync(objects, { recursive: true });
    writeFileSync(join(objects, 'pack'), 'packed');
    const targets = [
      '/usr/x',
      '/x',
      '/etc/passwd',
      '/etc/x',
      '/opt/claude/claude',
      '/opt/claude/x',
      '/project/objects/pack',
      '/project/objects/x',
      '/dev/x',
      '/bin/bash',
    ];
    const tried = targets.map(
      (target) =>
        `( echo evil > ${target} ) 2>/dev/null && echo "wrote ${target}"; chmod 777 ${target} 2>/dev/null && echo "changed ${target}"`,
    );
    expect(
      await host.text(
        `${tried.join('\n')}\nmv /project/objects/pack /project/objects/p 2>/dev/null && echo moved; true`,
        { objects },
      ),
    ).toBe('');
    expect(readFileSync(join(objects, 'pack'), 'utf8')).toBe('packed');
  });

  it('can write to workspace and configuration, and to neither when they are bound read-only', async () => {
    expect(await host.text('echo a > /workspace/a; echo b > /config/b; cat /workspace/a /config/b')).toBe('a\nb');
    const readOnly = { workspaceReadOnly: true, configReadOnly: true };
    expect(
      await host.text(
        '( echo c > /workspace/a ) 2>/dev/null || ( echo c > /config/b ) 2>/dev/null || cat /workspace/a',
        readOnly,
      ),
    ).toBe('a');
  });

  it("finds the worker's environment nowhere", async () => {
    expect(await host.text('env; cat /proc/[0-9]*/environ | tr "\\0" "\\n"')).not.toContain('canary');
    expect((await host.text('env | cut -d= -f1 | sort')).split('\n')).toEqual([
      'GIT_TERMINAL_PROMPT',
      'HOME',
      'LANG',
      'LOGNAME',
      'PATH',
      'PWD',
      'SHELL',
      'SHLVL',
      'TERM',
      'TMPDIR',
      'USER',
      '_',
    ]);
  });

  it('sees no process of the host and cannot signal one', async () => {
    expect(await host.text('cat /proc/[0-9]*/comm; true')).toBe('bwrap\nbash');
    expect(await host.text(`kill -0 ${process.pid} 2>/dev/null && echo reached; true`)).toBe('');
  });

  it('has no network: not the host, not the metadata address, not a name, not an abstract socket', async () => {
    const { port } = server.address() as AddressInfo;
    const connect = (target: string) => `( exec 3<>/dev/tcp/${target} ) 2>/dev/null && echo "reached ${target}"`;
    expect(
      await host.text(
        `${[`127.0.0.1/${port}`, '169.254.169.254/80', 'localhost/22', 'example.com/80'].map(connect).join('\n')}\ntrue`,
      ),
    ).toBe('');
    const abstractConnect = `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); print connect(S, pack_sockaddr_un("\\0chirality-escape-test")) ? "reached" : "refused"'`;
    expect(await host.text(abstractConnect)).toBe('refused');
    expect(await host.text('tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "')).toBe('lo');
  });

  it.each([
    ['ptrace', [0, 0, 0, 0]],
    ['keyctl', [0, 0, 0, 0, 0]],
    ['add_key', ['user', 'name', 'payload', 7, -4]],
    ['io_uring_setup', [1, 0]],
    ['perf_event_open', [0, 0, -1, -1, 0]],
    ['bpf', [0, 0, 0]],
    ['userfaultfd', [0]],
    ['unshare', [0x10000000]],
    ['setns', [0, 0]],
    ['mount', ['none', '/tmp', 'tmpfs', 0, 0]],
    ['open_tree', [-100, '/', 0]],
    ['process_vm_readv', [1, 0, 0, 0, 0, 0]],
    ['pidfd_getfd', [0, 0, 0]],
  ] as const)('is refused %s', async (name, args) => {
    expect(await errnoOf(numbers.denied[name] ?? -1, ...args)).toBe(EPERM);
  });

  it('makes no socket of a family that is not in its network namespace or opens the kernel wide', async () => {
    const [AF_ALG, AF_PACKET, AF_VSOCK, SOCK_STREAM, SOCK_RAW] = [38, 17, 40, 1, 3];
    const families = [AF_VSOCK, AF_PACKET, AF_ALG];
    expect(await Promise.all(families.map((family) => errnoOf(numbers.socket, family, SOCK_STREAM, 0)))).toEqual(
      families.map(() => EAFNOSUPPORT),
    );
    expect(await errnoOf(numbers.socket, 2, SOCK_RAW, 1)).toBe(EPERM);
  });

  it('makes no user namespace, no device, no root', async () => {
    expect(
      await host.text('unshare -U true 2>/dev/null && echo userns; unshare -Ur true 2>/dev/null && echo root; true'),
    ).toBe('');
    expect(
      await host.text(
        'mknod /tmp/d c 1 1 2>/dev/null && echo device; chown 0 /workspace 2>/dev/null && echo owned; true',
      ),
    ).toBe('');
    expect(
      await host.text(
        'grep -E "^(CapEff|CapPrm|CapInh|CapBnd|CapAmb|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"',
      ),
    ).toBe(
      'CapInh:0000000000000000\nCapPrm:0000000000000000\nCapEff:0000000000000000\nCapBnd:0000000000000000\nCapAmb:0000000000000000\nNoNewPrivs:1\nSeccomp:2',
    );
  });

  it("cannot change the host's kernel settings", async () => {
    const files = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/vm/drop_caches',
      '/proc/sysrq-trigger',
      '/proc/sys/kernel/modprobe',
    ];
    expect(
      await host.text(
        `${files.map((file) => `( echo x > ${file} ) 2>/dev/null && echo "wrote ${file}"`).join('\n')}\ntrue`,
      ),
    ).toBe('');
  });

  it('follows a link to where it leads inside, never on the host', async () => {
    const secret = join(host.directory, 'sibling', 'secret');
    symlinkSync(secret, join(host.paths.workspace, 'to-sibling'));
    symlinkSync('/etc/shadow', join(host.paths.workspace, 'to-shadow'));
    symlinkSync('../../sibling/secret', join(host.paths.workspace, 'up'));
    expect(await host.text('cat /workspace/to-sibling /workspace/to-shadow /workspace/up 2>/dev/null; true')).toBe('');
  });

  it('gets no descriptor of the worker', async () => {
    expect(
      await host.text(
        'for f in /proc/self/fd/*; do readlink $f; done | grep -v -e "^socket:" -e "^/proc/" -e "^pipe:" -e "^/dev/null$"; true',
      ),
    ).toBe('');
  });

  it('fills at most its own scratch space', async () => {
    const result = await host.sh(
      'head -c 300M /dev/zero > /tmp/big; stat -c %s /tmp/big; head -c 40M /dev/zero > /home/agent/big; stat -c %s /home/agent/big',
    );
    expect(result.stdout.toString().trim().split('\n').map(Number)).toEqual([256 * 1024 * 1024, 32 * 1024 * 1024]);
  });

  it('writes no file beyond the limit of one file', async () => {
    const small = host.another({ limits: { fileBytes: 1024 * 1024 } });
    const result = await small.run({
      profile: 'workspace',
      paths: host.paths,
      command: ['/bin/bash', '-c', 'head -c 2M /dev/zero > /workspace/big; stat -c %s /workspace/big'],
      maxOutputBytes: 1_000,
      timeoutMs: 10_000,
    });
    expect(result.stdout.toString().trim()).toBe(String(1024 * 1024));
  });
});
