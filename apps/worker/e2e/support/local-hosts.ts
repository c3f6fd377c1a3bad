import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveGit } from '@chirality/testing';

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
    if (request.url === `/${PACKAGE}`)
      return void response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(packument(`http://${request.headers.host}`, tarball)));
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
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
      stdio: 'pipe',
    });
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
  const version = {
    name: PACKAGE,
    version: '1.0.0',
    main: 'index.js',
    dist: { tarball: `${origin}/${PACKAGE}.tgz`, integrity },
  };
  return { name: PACKAGE, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
