import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'left-alone';

export type LocalHosts = {
  port: number;
  /** `METHOD host/path` of every request that got here. */
  requests: string[];
  /** What the requests said of themselves to a registry. */
  authorizations: string[];
  close(): Promise<void>;
};

/** A git host (`/repo.git`) and a package registry (`/left-alone`) of this process, for sandboxes that may reach them. */
export async function startLocalHosts(): Promise<LocalHosts> {
  const directory = mkdtempSync(join(tmpdir(), 'chi-hosts-'));
  const repositories = makeRepository(directory);
  const tarball = makeTarball(directory);
  const requests: string[] = [];
  const authorizations: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host}${request.url}`);
    if (request.headers.authorization) authorizations.push(request.headers.authorization);
    if (request.url?.startsWith('/repo.git')) return serveGit(repositories, request, response);
    if (request.url === `/${PACKAGE}`) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(packument(`http://${request.headers.host}`, tarball)));
    if (request.url === `/${PACKAGE}.tgz`) return void response.end(tarball);
    response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    authorizations,
    close: async () => {
      await closed(server);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function makeRepository(directory: string): string {
  const work = join(directory, 'work');
  const git = (...args: string[]) => execFileSync('git', ['-C', work, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { stdio: 'pipe' });
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(work, 'fetched.txt'), 'fetched over http\n');
  git('add', '.');
  git('commit', '-q', '-m', 'First');
  execFileSync('git', ['clone', '-q', '--bare', work, join(directory, 'repo.git')], { stdio: 'pipe' });
  return directory;
}

function makeTarball(directory: string): Buffer {
  const source = join(directory, 'package');
  mkdirSync(source);
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: PACKAGE, version: '1.0.0', main: 'index.js' }));
  writeFileSync(join(source, 'index.js'), "module.exports = 'installed over http';\n");
  execFileSync('tar', ['-czf', join(directory, 'package.tgz'), '-C', directory, 'package']);
  return readFileSync(join(directory, 'package.tgz'));
}

function packument(origin: string, tarball: Buffer): object {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const version = { name: PACKAGE, version: '1.0.0', main: 'index.js', dist: { tarball: `${origin}/${PACKAGE}.tgz`, integrity } };
  return { name: PACKAGE, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

/** git's own server program, as a web server would run it. */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const env = {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: path,
    QUERY_STRING: query,
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
  const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    const headers = output.toString('latin1', 0, end).split('\r\n').map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1];
    response.writeHead(Number(status?.slice(0, 3) ?? 200), Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')));
    response.end(output.subarray(end + 4));
  });
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
