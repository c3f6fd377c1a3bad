import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killProcessIfSame, machineIdentity, processStartTime } from './machine-identity';

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('machine identity', () => {
  it('is the same for every process of this boot and namespace', async () => {
    const child = spawn('sh', ['-c', 'cat /proc/sys/kernel/random/boot_id; readlink /proc/self/ns/pid'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    await once(child, 'close');
    const [boot, namespace] = Buffer.concat(output).toString().trim().split('\n');
    expect(machineIdentity()).toBe(`${boot}/${namespace?.replace(/\D/g, '')}`);
  });
});

onLinux('killProcessIfSame', () => {
  async function sleeper() {
    const child = spawn('sleep', ['600']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    return { child, registered: { pid, startTime: processStartTime(pid) ?? '', machine: machineIdentity() } };
  }

  it('ends the very process that was registered', async () => {
    const { child, registered } = await sleeper();
    expect(killProcessIfSame(registered)).toBe(true);
    await expect(once(child, 'exit')).resolves.toEqual([null, 'SIGKILL']);
    expect(processStartTime(registered.pid)).toBeNull();
    expect(killProcessIfSame(registered)).toBe(false);
  });

  it('leaves a process alone that only has the same pid, or the same pid elsewhere', async () => {
    const { child, registered } = await sleeper();
    expect(killProcessIfSame({ ...registered, startTime: '1' })).toBe(false);
    expect(killProcessIfSame({ ...registered, machine: 'another boot/1' })).toBe(false);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
  });

  it.each([0, 1, -1])('never signals pid %d', (pid) => {
    expect(killProcessIfSame({ pid, startTime: processStartTime(pid) ?? '', machine: machineIdentity() })).toBe(false);
  });

  it('reads the start time of a program whose name holds spaces and parentheses', async () => {
    const child = spawn('sh', ['-c', 'printf "a) b (c" > /proc/$$/comm; echo ready; read -r line'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(processStartTime(child.pid ?? 0)).toMatch(/^\d{2,}$/);
    child.stdin.end();
    await once(child, 'exit');
  });
});
