import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './self-signed';

export const GIT_HOST = 'git.test.example';

export type GitHost = {
  port: number;
  /** Where bare repositories are put to be served by their names. */
  directory: string;
  /** The authority of its certificate, as a file. */
  authorities: string;
  /** `METHOD host/path` of every request that got here. */
  requests: string[];
  /** What requests said of who they are. */
  credentials: string[];
  /** What opens repositories below `private/`, as `user:token`; null: nothing does. */
  signIn: string | null;
  url(repository: string): string;
  /** Answers that begin with this path are held until `release`; resolves with the first that is. */
  hold(path: string): { held: Promise<void>; release(): void };
  /** Answers requests before the repositories do; false for those that it leaves to them. */
  answerFirst: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  close(): Promise<void>;
};

/**
 * A git host of this process, over TLS: `/NAME.git` is what lies in its directory, `/private/NAME.git` likewise but
 * asks for a password, `/private.git` takes none, and `/to/<url>` sends on to any address. A refusal repeats what was
 * sent, as some hosts do.
 */
export async function startGitHost(names: readonly string[] = [GIT_HOST]): Promise<GitHost> {
  const directory = mkdtempSync(join(tmpdir(), 'chi-git-'));
  const { key, certificate } = selfSigned(names);
  const authorities = join(directory, 'authorities.pem');
  writeFileSync(authorities, certificate);
  const requests: string[] = [];
  const credentials: string[] = [];
  let holding: { path: string; tell(): void; until: Promise<void> } | null = null;
  const server = createServer(
    { key, cert: certificate },
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  );
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    requests.push(`${request.method} ${request.headers.host}${path}`);
    if (request.headers.authorization) credentials.push(request.headers.authorization);
    if (await host.answerFirst(request, response)) return;
    if (path.startsWith('/private.git'))
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    if (path.startsWith('/private/') && !mayEnter(request.headers.authorization, host.signIn)) {
      const said = request.headers.authorization ?? 'nothing';
      const text = `denied: ${said} (${Buffer.from(said.slice('Basic '.length), 'base64').toString()})\n`;
      const headers = { 'www-authenticate': 'Basic realm="git"', 'content-type': 'text/plain' };
      return void response.writeHead(401, headers).end(text);
    }
    if (path.startsWith('/to/'))
      return void response
        .writeHead(302, {
          location:
            decodeURIComponent(path.slice('/to/'.length).replace(/\/info\/refs\?.*$/, '')) +
            '/info/refs?service=git-upload-pack',
        })
        .end();
    if (holding && path.startsWith(holding.path)) {
      holding.tell();
      await holding.until;
    }
    serveGit(directory, request, response);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host: GitHost = {
    port,
    directory,
    authorities,
    requests,
    credentials,
    signIn: null,
    url: (repository) => `https://${names[0]}:${port}/${repository}`,
    answerFirst: () => Promise.resolve(false),
    hold: (path) => {
      let release: () => void = () => undefined;
      const until = new Promise<void>((resolve) => (release = resolve));
      const held = new Promise<void>((resolve) => (holding = { path, tell: resolve, until }));
      return {
        held,
        release: () => {
          holding = null;
          release();
        },
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return host;
}

function mayEnter(authorization: string | undefined, signIn: string | null): boolean {
  return signIn !== null && authorization === `Basic ${Buffer.from(signIn).toString('base64')}`;
}

/** Answers by git's own server program, as a web server would run it, from the repositories below `root`. */
export function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  // The client is gone, and git's answer would never end.
  if (response.destroyed) return;
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const backend = spawn('git', ['http-backend'], {
    env: {
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
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  backend.stdin.on('error', () => undefined);
  let isGone = false;
  response.once('close', () => {
    isGone = true;
    backend.kill();
  });
  request.pipe(backend.stdin);
  let head = Buffer.alloc(0);
  let isBegun = false;
  backend.stdout.on('data', (chunk: Buffer) => {
    if (isBegun || isGone || response.destroyed) return;
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    isBegun = true;
    const headers = head
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1];
    response.writeHead(
      Number(status?.slice(0, 3) ?? 200),
      Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')),
    );
    response.write(head.subarray(end + 4));
    // As it comes: a large repository does not fit here, and shows its progress only so.
    backend.stdout.pipe(response, { end: false });
  });
  backend.on('close', (code) => {
    // The client is gone, or git died: half an answer is none. Git may have finished before it was killed.
    if (isGone || response.destroyed || !isBegun || code !== 0) response.destroy();
    else response.end();
  });
}
