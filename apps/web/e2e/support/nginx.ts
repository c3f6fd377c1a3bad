import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { waitFor } from '@chirality/testing';

const PAGE = resolve(__dirname, '../../../../docs/reverse-proxies.md');

/** nginx, where this machine has it. */
export function nginxProgram(): string | null {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, 'nginx')).find((path) => existsSync(path)) ?? null;
}

/** The configuration of docs/reverse-proxies.md, on that port of the loopback and in front of that api. */
function documentedConfiguration(port: number, api: URL): string {
  const block = /```nginx\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  return block
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace('server_name host.example;', 'server_name 127.0.0.1;')
    .replaceAll('http://127.0.0.1:3000', api.origin);
}

/** A real nginx, run by this user, which ends with `close`. */
export async function startNginx(port: number, api: URL): Promise<{ close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'chi-nginx-'));
  mkdirSync(join(directory, 'temporary'));
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (what) => `${what}_temp_path ${join(directory, 'temporary', what)};`,
  );
  const configuration = [
    'daemon off; master_process off; error_log stderr;',
    `pid ${join(directory, 'nginx.pid')};`,
    'events {}',
    `http { access_log off; ${places.join(' ')}`,
    documentedConfiguration(port, api),
    '}',
  ];
  writeFileSync(join(directory, 'nginx.conf'), configuration.join('\n'));
  const server = spawn(nginxProgram() ?? '', ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => server.exitCode !== null,
    );
  await waitFor(answers, { what: 'nginx listens' });
  if (server.exitCode !== null) throw new Error(`nginx did not start: ${said}`);
  return {
    close: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
