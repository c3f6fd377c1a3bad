import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where packages put it, which an ordinary user's PATH does not have. */
const DIRECTORIES = ['/usr/sbin', '/usr/local/sbin'];
const START_MS = 20_000;

export type SshdHost = {
  port: number;
  /** Where bare repositories are put to be served. */
  directory: string;
  /** A line of a public key that may sign in from now on. */
  authorize(line: string): void;
  /** The address of a repository below the directory, as the user `git`. */
  url(repository: string): string;
  /** What the server has said so far. */
  log(): string;
  /** From now on it proves itself by another key. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
};

/** OpenSSH's server, where this machine has it. */
export function sshdProgram(): string | null {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...DIRECTORIES];
  return directories.map((directory) => join(directory, 'sshd')).find((path) => existsSync(path)) ?? null;
}

/**
 * OpenSSH's server on the loopback, run by the user of this process, whose git it runs for the keys that it knows. The
 * user is called `git` there, by a list of users that it alone sees: a test's user may have no name.
 */
export async function startSshd(name: string): Promise<SshdHost> {
  const program = sshdProgram();
  if (program === null) throw new Error('there is no sshd on this machine');
  const directory = mkdtempSync(join(tmpdir(), 'chi-sshd-'));
  const file = (part: string) => join(directory, part);
  const port = await freePort();
  writeFileSync(file('passwd'), `git:x:${process.getuid?.()}:${process.getgid?.()}::${directory}:/bin/sh\n`);
  writeFileSync(file('authorized'), '', { mode: 0o600 });
  // The shell that sshd starts has no more of an environment; the repositories may belong to another user.
  writeFileSync(file('.gitconfig'), '[safe]\n\tdirectory = *\n');
  writeFileSync(
    file('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${file('host_key')}`,
      `AuthorizedKeysFile ${file('authorized')}`,
      ...['PasswordAuthentication', 'KbdInteractiveAuthentication', 'UsePAM', 'StrictModes'].map(
        (what) => `${what} no`,
      ),
      'PidFile none',
      'AcceptEnv GIT_PROTOCOL',
      'LogLevel VERBOSE',
      '',
    ].join('\n'),
  );
  const inside = ['--dev-bind', '/', '/', '--ro-bind', file('passwd'), '/etc/passwd', '--die-with-parent'];
  let said = '';
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    for (const part of ['host_key', 'host_key.pub']) rmSync(file(part), { force: true });
    execFileSync('bwrap', [...inside, 'ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file('host_key')]);
    const made = spawn('bwrap', [...inside, program ?? '', '-D', '-e', '-f', file('sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = made;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`sshd did not start: ${said}`)), START_MS);
      let ofThis = '';
      made.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        ofThis += chunk.toString();
        if (!ofThis.includes('Server listening')) return;
        clearTimeout(timer);
        resolve();
      });
      made.once('exit', () => {
        clearTimeout(timer);
        reject(new Error(`sshd ended: ${said}`));
      });
    });
  }
  async function stop(): Promise<void> {
    const running = server;
    server = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    running.kill();
    await once(running, 'exit');
    running.stderr?.destroy();
  }
  await start();
  return {
    port,
    directory,
    authorize: (line) => writeFileSync(file('authorized'), `${readFileSync(file('authorized'), 'utf8')}${line}\n`),
    url: (repository) => `ssh://git@${name}:${port}${directory}/${repository}`,
    log: () => said,
    changeHostKey: async () => {
      await stop();
      await start();
    },
    close: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** sshd takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
