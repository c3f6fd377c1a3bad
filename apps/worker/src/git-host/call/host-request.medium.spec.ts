import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GIT_HOST, startGitHost, type GitHost as GitServer } from '@chirality/testing';
import { networkWithHosts } from '../../egress';
import { problemOfHost } from './host-call-error';
import { hostFetch } from './host-fetch';
import type { HostNetwork } from './host-request';

const OTHER = 'other.test.example';
const INWARD = 'inward.test.example';

let server: GitServer;
let seen: { path: string; host: string; authorization: string | undefined }[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = await startGitHost([GIT_HOST, OTHER]);
  server.answerFirst = (request, response) => {
    const { authorization, host = '' } = request.headers;
    seen.push({ path: request.url ?? '', host: host.split(':')[0] ?? '', authorization });
    answer(request, response);
    return Promise.resolve(true);
  };
});
afterAll(() => server.close());
beforeEach(() => (seen = []));

function network(limits?: HostNetwork['limits']): HostNetwork {
  const { mayReach, resolve } = networkWithHosts({ [GIT_HOST]: '127.0.0.1', [OTHER]: '127.0.0.1' });
  return {
    network: {
      mayReach,
      resolve: (name) => (name === INWARD ? Promise.resolve([{ address: '10.0.0.1', family: 4 }]) : resolve(name)),
    },
    authorities: [readFileSync(server.authorities, 'utf8')],
    ...(limits ? { limits } : {}),
  };
}

const at = (path: string, host = GIT_HOST) => `https://${host}:${server.port}${path}`;
const headers = { authorization: 'Bearer secret-1', 'private-token': 'secret-1' };

async function failure(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  return problemOfHost(error);
}

describe('a call of a host’s API', () => {
  it('follows a redirect to another host, which is not told who asks', async () => {
    answer = (request, response) =>
      request.url === '/a'
        ? response.writeHead(302, { location: at('/b', OTHER) }).end()
        : response.writeHead(200, { 'content-type': 'text/plain' }).end('the log');
    const response = await hostFetch(network(), 'secret-1')(at('/a'), { headers });
    expect(await response.text()).toBe('the log');
    expect(seen).toEqual([
      { path: '/a', host: GIT_HOST, authorization: 'Bearer secret-1' },
      { path: '/b', host: OTHER, authorization: undefined },
    ]);
  });

  it('keeps who asks on the same host', async () => {
    answer = (request, response) =>
      request.url === '/a' ? response.writeHead(301, { location: '/b' }).end() : response.writeHead(200).end('{}');
    await hostFetch(network(), 'secret-1')(at('/a'), { headers });
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer secret-1', 'Bearer secret-1']);
  });

  it.each([
    ['a private address', 302, () => at('/b', INWARD), 'GIT_HOST_FORBIDDEN'],
    ['a name that leads nowhere', 302, () => at('/b', 'no.test.example'), 'GIT_HOST_UNREACHABLE'],
    ['plain http', 302, () => `http://${GIT_HOST}/b`, 'PULL_REQUEST_FAILED'],
    ['an address with credentials', 302, () => `https://a:b@${GIT_HOST}/b`, 'PULL_REQUEST_FAILED'],
    ['itself, again and again', 302, () => at('/a'), 'PULL_REQUEST_FAILED'],
  ])('does not follow a redirect to %s', async (_name, status, location, code) => {
    answer = (_request, response) => response.writeHead(status, { location: location() }).end();
    expect(await failure(hostFetch(network(), null)(at('/a')))).toMatchObject({ code });
    expect(seen.length).toBeLessThanOrEqual(6);
  });

  it('does not let a host on the internet choose one of the operator’s own', async () => {
    answer = (_request, response) => response.writeHead(302, { location: at('/b', OTHER) }).end();
    const { authorities } = network();
    const known = { network: networkWithHosts({ [GIT_HOST]: '127.0.0.1', [OTHER]: '127.0.0.2' }), authorities };
    const call = hostFetch({ ...known, isPublic: (address) => address === '127.0.0.1' }, null)(at('/a'));
    expect(await failure(call)).toMatchObject({
      code: 'PULL_REQUEST_FAILED',
      detail: expect.stringContaining('sends on to another address'),
    });
    expect(seen.map(({ path }) => path)).toEqual(['/a']);
  });

  it('does not repeat elsewhere what changes something', async () => {
    answer = (_request, response) => response.writeHead(307, { location: at('/b', OTHER) }).end();
    const call = hostFetch(network(), null)(at('/a'), { method: 'POST', body: '{}' });
    expect(await failure(call)).toMatchObject({ code: 'PULL_REQUEST_FAILED' });
    expect(seen).toHaveLength(1);
  });

  it('does not call a private address, and trusts no unknown authority', async () => {
    expect(await failure(hostFetch(network(), null)(at('/a', INWARD)))).toMatchObject({ code: 'GIT_HOST_FORBIDDEN' });
    const untrusting = { ...network(), authorities: null };
    const problem = await failure(hostFetch(untrusting, null)(at('/a')));
    expect(problem).toMatchObject({ code: 'GIT_HOST_UNREACHABLE', detail: expect.stringContaining('certificate') });
    expect(seen).toEqual([]);
  });

  it('gives up on a host that stalls, at its head and in its body', async () => {
    answer = () => undefined;
    const limited = network({ callMs: 300 });
    const late = { code: 'GIT_HOST_UNREACHABLE', detail: expect.stringContaining('in time') };
    expect(await failure(hostFetch(limited, null)(at('/a')))).toMatchObject(late);
    answer = (_request, response) => response.writeHead(200).write('half');
    expect(await failure(hostFetch(limited, null)(at('/a')))).toMatchObject(late);
  });

  it('sends nothing after the deadline of the act, and breaks off at it', async () => {
    const deadline = new AbortController();
    answer = () => deadline.abort();
    const call = () => failure(hostFetch({ ...network(), deadline: deadline.signal }, null)(at('/a')));
    const late = { code: 'GIT_HOST_UNREACHABLE', detail: expect.stringContaining('in time') };
    expect(await call()).toMatchObject(late);
    expect(await call()).toMatchObject(late);
    expect(seen).toHaveLength(1);
  });

  it('reads no more than it may, and of a log its end', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('0123456789\n'.repeat(1_000));
    const limited = network({ answerBytes: 10_000, logBytes: 1_000_000, tailBytes: 50 });
    expect(await failure(hostFetch(limited, null)(at('/a')))).toMatchObject({ code: 'PULL_REQUEST_FAILED' });
    const log = await hostFetch(limited, null, { keepTail: true })(at('/a'));
    expect(await log.text()).toBe('0123456789\n'.repeat(4));
  });
});
