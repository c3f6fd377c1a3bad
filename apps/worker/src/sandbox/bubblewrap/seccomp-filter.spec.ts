import { seccompFilter } from './seccomp-filter';
import { SYSCALLS, type SeccompArchitecture } from './seccomp-syscalls';

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (code: number): number => 0x00050000 | code;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [errno(1), errno(38), errno(97)];

/** Runs the filter as the kernel would, over a `struct seccomp_data`. */
function decide(filter: Buffer, architecture: number, number: number, args: bigint[] = []): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  args.forEach((arg, index) => data.writeBigUInt64LE(BigInt.asUintN(64, arg), 16 + index * 8));
  let accumulator = 0;
  for (let pc = 0; pc * 8 < filter.length; pc += 1) {
    const opcode = filter.readUInt16LE(pc * 8);
    const [whenTrue, whenFalse] = [filter.readUInt8(pc * 8 + 2), filter.readUInt8(pc * 8 + 3)];
    const operand = filter.readUInt32LE(pc * 8 + 4);
    if (opcode === 0x20) accumulator = data.readUInt32LE(operand);
    else if (opcode === 0x06) return operand;
    else if (opcode === 0x15) pc += accumulator === operand ? whenTrue : whenFalse;
    else if (opcode === 0x35) pc += accumulator >= operand ? whenTrue : whenFalse;
    else if (opcode === 0x45) pc += (accumulator & operand) !== 0 ? whenTrue : whenFalse;
    else throw new Error(`opcode ${opcode}`);
  }
  throw new Error('the filter ends without a verdict');
}

describe.each<SeccompArchitecture>(['x64', 'arm64'])('the system call filter for %s', (architecture) => {
  const filter = seccompFilter(architecture);
  const numbers = SYSCALLS[architecture];
  const verdict = (number: number, ...args: bigint[]): number =>
    decide(filter, numbers.auditArchitecture, number, args);

  it('kills a process of another architecture', () => {
    expect(decide(filter, 0x40000003, 1)).toBe(KILL);
  });

  it.each(Object.entries(numbers.denied))('refuses %s', (_name, number) => {
    expect(verdict(number)).toBe(EPERM);
  });

  it('hides clone3, and refuses clone with any new namespace', () => {
    expect(verdict(numbers.clone3)).toBe(ENOSYS);
    const [SIGCHLD, CLONE_VM, CLONE_THREAD] = [17n, 0x100n, 0x10000n];
    expect(verdict(numbers.clone, SIGCHLD)).toBe(ALLOW);
    expect(verdict(numbers.clone, CLONE_VM | CLONE_THREAD | 0x3d0f00n)).toBe(ALLOW);
    const namespaces = {
      mount: 0x20000n,
      cgroup: 0x2000000n,
      uts: 0x4000000n,
      ipc: 0x8000000n,
      user: 0x10000000n,
      pid: 0x20000000n,
      net: 0x40000000n,
    };
    expect(Object.values(namespaces).map((flag) => verdict(numbers.clone, flag | SIGCHLD))).toEqual(
      Array(7).fill(EPERM),
    );
  });

  it('makes Unix, inet and routing sockets only', () => {
    const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_ALG, AF_VSOCK] = [1n, 2n, 10n, 16n, 17n, 38n, 40n];
    expect([AF_UNIX, AF_INET, AF_INET6, AF_NETLINK].map((family) => verdict(numbers.socket, family, 1n, 0n))).toEqual(
      Array(4).fill(ALLOW),
    );
    expect([AF_PACKET, AF_ALG, AF_VSOCK, 0n, 3n, 44n].map((family) => verdict(numbers.socket, family, 1n, 0n))).toEqual(
      Array(6).fill(EAFNOSUPPORT),
    );
    const NETLINK_NETFILTER = 12n;
    expect(verdict(numbers.socket, AF_NETLINK, 3n, NETLINK_NETFILTER)).toBe(EAFNOSUPPORT);
  });

  it('lets everyday calls through, whatever their number is near', () => {
    const refused = new Set([...Object.values(numbers.denied), numbers.clone3]);
    const others = Array.from({ length: 480 }, (_, number) => number).filter(
      (number) => !refused.has(number) && number !== numbers.clone && number !== numbers.socket,
    );
    expect(others.filter((number) => verdict(number) !== ALLOW)).toEqual([]);
  });
});

it('hides the x32 twins of the 64-bit calls', () => {
  const filter = seccompFilter('x64');
  expect(decide(filter, SYSCALLS.x64.auditArchitecture, 0x40000000 | SYSCALLS.x64.socket, [40n])).toBe(ENOSYS);
});

it('stays within what the kernel takes: 4096 instructions, jumps of one byte', () => {
  expect(seccompFilter('x64').length / 8).toBeLessThan(200);
});
