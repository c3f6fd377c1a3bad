import { SYSCALLS, type SeccompArchitecture } from './seccomp-syscalls';

/** Opcodes of classic BPF, and offsets into `struct seccomp_data` (low halves of the 64-bit arguments). */
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_NOT_BELOW = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const AT_NUMBER = 0;
const AT_ARCHITECTURE = 4;
const AT_ARGUMENT_0 = 16;
const AT_ARGUMENT_2 = 32;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;
const failWith = (errno: number): number => 0x00050000 | errno;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACE_FLAGS = 0x7e020000;
const X32_BIT = 0x40000000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;

type Instruction = readonly [opcode: number, jumpTrue: number, jumpFalse: number, operand: number];

/**
 * The filter as bubblewrap's `--seccomp` reads it: an array of `struct sock_filter`.
 * Another architecture kills the process; the denied list answers EPERM; `clone3` answers ENOSYS, so that libc falls
 * back to `clone`, whose flags can be seen here; only Unix, inet and routing netlink sockets can be made.
 */
export function seccompFilter(architecture: SeccompArchitecture): Buffer {
  const numbers = SYSCALLS[architecture];
  const program: Instruction[] = [
    [LOAD, 0, 0, AT_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, numbers.auditArchitecture],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, AT_NUMBER],
  ];
  if (architecture === 'x64') program.push([JUMP_NOT_BELOW, 0, 1, X32_BIT], [RETURN, 0, 0, failWith(ENOSYS)]);
  for (const number of Object.values(numbers.denied)) program.push(...refuse(number, EPERM));
  program.push(...refuse(numbers.clone3, ENOSYS), ...cloneRule(numbers.clone), ...socketRule(numbers.socket), [
    RETURN,
    0,
    0,
    ALLOW,
  ]);
  return assemble(program);
}

function refuse(number: number, errno: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 1, number],
    [RETURN, 0, 0, failWith(errno)],
  ];
}

function cloneRule(number: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 4, number],
    [LOAD, 0, 0, AT_ARGUMENT_0],
    [JUMP_ANY_BIT, 0, 1, NEW_NAMESPACE_FLAGS],
    [RETURN, 0, 0, failWith(EPERM)],
    [RETURN, 0, 0, ALLOW],
  ];
}

function socketRule(number: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 9, number],
    [LOAD, 0, 0, AT_ARGUMENT_0],
    [JUMP_EQUAL, 5, 0, AF_UNIX],
    [JUMP_EQUAL, 4, 0, AF_INET],
    [JUMP_EQUAL, 3, 0, AF_INET6],
    [JUMP_EQUAL, 0, 3, AF_NETLINK],
    [LOAD, 0, 0, AT_ARGUMENT_2],
    [JUMP_EQUAL, 0, 1, NETLINK_ROUTE],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, failWith(EAFNOSUPPORT)],
  ];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([opcode, jumpTrue, jumpFalse, operand], index) => {
    bytes.writeUInt16LE(opcode, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  });
  return bytes;
}
