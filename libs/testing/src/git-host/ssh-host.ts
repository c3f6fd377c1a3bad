import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, utils, type AuthContext, type Connection, type ServerChannel } from 'ssh2';

export type SshHost = {
  port: number;
  /** Where bare repositories are put to be served by their names. */
  directory: string;
  /** Lines of public keys that may sign in, as `user`. */
  authorized: Set<string>;
  /** `user command` of everything that was run. */
  commands: string[];
  /** Fingerprints of keys that were offered. */
  offered: string[];
  url(repository: string, user?: string): string;
  /** From now on it proves itself by another key. */
  changeHostKey(): Promise<void>;
  close(): Promise<void>;
};

/** An SSH server of this process that runs git for the keys it knows, and nothing else. */
export async function startSshHost(name: string): Promise<SshHost> {
  const directory = mkdtempSync(join(tmpdir(), 'chi-ssh-'));
  const authorized = new Set<string>();
  const commands: string[] = [];
  const offered: string[] = [];
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;

  function listen(wanted: number): Promise<Server> {
    const { private: hostKey } = utils.generateKeyPairSync('ed25519');
    const made = new Server({ hostKeys: [hostKey] }, serve);
    return new Promise((resolve) => made.listen(wanted, '127.0.0.1', () => resolve(made)));
  }
  function serve(client: Connection): void {
    let user = '';
    client.on('error', () => undefined);
    client.on('authentication', (context) => {
      user = context.username;
      if (context.method === 'publickey') offered.push(context.key.data.toString('base64'));
      if (mayEnter(context, authorized)) context.accept();
      else context.reject(['publickey']);
    });
    client.on('session', (accept) => {
      const session = accept();
      let protocol = '';
      session.on('env', (_accept, _reject, { key, val }) => {
        if (key === 'GIT_PROTOCOL') protocol = val;
      });
      session.on('exec', (acceptExec, _reject, { command }) => {
        commands.push(`${user} ${command}`);
        runGit(directory, command, protocol, acceptExec());
      });
    });
  }
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    port,
    directory,
    authorized,
    commands,
    offered,
    url: (repository, user = 'git') => `ssh://${user}@${name}:${port}/${repository}`,
    changeHostKey: async () => {
      await stop();
      server = await listen(port);
    },
    close: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function mayEnter(context: AuthContext, authorized: ReadonlySet<string>): boolean {
  if (context.method !== 'publickey') return false;
  const { key, signature, blob, hashAlgo } = context;
  return [...authorized].some((line) => {
    const known = utils.parseKey(line);
    if (known instanceof Error || !known.getPublicSSH().equals(key.data)) return false;
    return signature === undefined || (blob !== undefined && known.verify(blob, signature, hashAlgo) === true);
  });
}

function runGit(root: string, command: string, protocol: string, channel: ServerChannel): void {
  const [, program, path] = /^git[- ](upload-pack|receive-pack) '\/?([\w./-]+)'$/.exec(command) ?? [];
  if (program === undefined || path === undefined || path.includes('..')) {
    channel.stderr.write('this host runs git alone\n');
    channel.exit(128);
    return void channel.end();
  }
  const git = spawn('git', [program, join(root, path)], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROTOCOL: protocol,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
  });
  git.stdin.on('error', () => undefined);
  channel.on('error', () => git.kill());
  channel.pipe(git.stdin);
  git.stdout.pipe(channel, { end: false });
  git.stderr.pipe(channel.stderr, { end: false });
  git.on('close', (code) => {
    channel.exit(code ?? 1);
    channel.end();
  });
}
