import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { bodyOfRequest, makeForgedRepository, makeGitRepository, startGitHost, type GitHost } from '@chirality/testing';
import { RemoteFixture } from '../../../test/remote-fixture';
import { describeAsOrdinaryUser } from '../../../test/sandbox-host';
import { WorkspaceFixture } from '../../../test/workspace-fixture';
import type { TRANSPORT_LIMITS } from './git-transport';

jest.setTimeout(60_000);

/** A packet of git's protocol: channel 1 has the pack, 3 a fatal error. */
function sideband(data: Buffer, channel = 1): Buffer {
  return Buffer.concat([Buffer.from((data.length + 5).toString(16).padStart(4, '0')), Buffer.of(channel), data]);
}

/** Answers a fetch with a pack of one object of so many bytes, made as it is read. */
function sendEndlessPack(response: ServerResponse, bytes: number, onSent: (bytes: number) => void): void {
  const header = [0x30 | (bytes & 15) | 0x80];
  for (let rest = Math.floor(bytes / 16); ; rest = Math.floor(rest / 128)) {
    header.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    if (rest < 128) break;
  }
  // A zlib stream without compression: a block that is not the last, its length, and that length's complement.
  const block = Buffer.concat([Buffer.from([0, 0xff, 0x7f, 0x00, 0x80]), randomBytes(0x7fff)]);
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
  response.write('000dpackfile\n');
  response.write(
    sideband(Buffer.from([...Buffer.from('PACK\x00\x00\x00\x02\x00\x00\x00\x01'), ...header, 0x78, 0x01])),
  );
  const packet = sideband(block);
  const send = () => {
    while (!response.destroyed) {
      onSent(packet.length);
      if (!response.write(packet)) return void response.once('drain', send);
    }
  };
  send();
}

describeAsOrdinaryUser('hosts that stall, and repositories that are damaged or too large', () => {
  let fixture: WorkspaceFixture;
  let host: GitHost;
  let remote: RemoteFixture;

  beforeAll(async () => {
    host = await startGitHost();
    makeGitRepository(join(host.directory, 'repo.git'), [{ 'a.txt': '1' }, { 'a.txt': '2' }]);
  });
  afterAll(() => host.close());
  beforeEach(() => {
    fixture = new WorkspaceFixture();
    remote = new RemoteFixture(fixture, host);
    host.answerFirst = async () => false;
  });
  afterEach(async () => {
    await remote.close();
    await fixture.close();
  });

  let made = 0;
  const fetch = async (
    url: string,
    limits: Partial<typeof TRANSPORT_LIMITS> = {},
    stopped = new AbortController().signal,
  ) => {
    const directory = fixture.path(`fetched-${(made += 1)}`);
    await mkdir(directory, { recursive: true });
    const who = { projectId: 'proj_1', teamId: 'team_1', userId: 'user_1' };
    await remote.remotes(limits).fetch({ ...who, url, directory, stopped, onProgress: () => undefined });
    return directory;
  };
  const failure = (code: string, detail: RegExp = /./) => ({
    failure: { code, detail: expect.stringMatching(detail) as string },
  });

  it('refuses a repository of 10 GB with the figure, and does not wait for its end', async () => {
    let sent = 0;
    let isOver = false;
    host.answerFirst = async (request, response) => {
      if (!(await bodyOfRequest(request)).includes('command=fetch')) return false;
      sendEndlessPack(response, 10 * 1024 ** 3, (bytes) => (sent += bytes));
      response.once('close', () => (isOver = true));
      return true;
    };
    const limits = { diskBytes: 48 * 1024 ** 2 };
    await expect(fetch(host.url('repo.git'), limits)).rejects.toMatchObject(
      failure('GIT_TOO_LARGE', /larger than the 48 MB/),
    );
    expect(isOver).toBe(true);
    expect(sent).toBeLessThan(2 * 1024 ** 3);
  });

  it.each<[string, (body: string, path: string) => boolean, string]>([
    ['before it names its branches', (_body, path) => path.includes('/info/refs'), ''],
    ['when it is asked for them', (body) => body.includes('command=ls-refs'), ''],
    ['when it is asked for the commits', (body) => body.includes('command=fetch'), ''],
    ['in the middle of them', (body) => body.includes('command=fetch'), '000dpackfile\n'],
  ])('gives a host that stalls %s its time, and ends at once when it is stopped', async (_what, isMet, begun) => {
    let stalled: () => void = () => undefined;
    host.answerFirst = async (request, response) => {
      if (!isMet(await bodyOfRequest(request), request.url ?? '')) return false;
      if (begun !== '')
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).write(begun);
      stalled();
      return true;
    };
    await expect(fetch(host.url('repo.git'), { timeoutMs: 1_500 })).rejects.toMatchObject(failure('SOURCE_TIMEOUT'));
    const asked = new Promise<void>((resolve) => (stalled = resolve));
    const stop = new AbortController();
    const fetching = fetch(host.url('repo.git'), {}, stop.signal);
    fetching.catch(() => undefined);
    await asked;
    stop.abort(new Error('no longer wanted'));
    await expect(fetching).rejects.toThrow('no longer wanted');
  });

  it.each([
    [
      'refuses objects that are damaged',
      1,
      'PACK\x00\x00\x00\x02\x00\x00\x00\x01\x33no zlib stream',
      /broken or dangerous/,
    ],
    // As git's server says it when it cannot read its own objects.
    [
      'passes on that the host’s repository is',
      3,
      'aborting due to possible repository corruption on the remote side.',
      /says that its repository is damaged/,
    ],
  ])('%s', async (_what, channel, sent, detail) => {
    host.answerFirst = async (request, response) => {
      if (!(await bodyOfRequest(request)).includes('command=fetch')) return false;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      const packet = sideband(Buffer.from(sent, 'latin1'), channel);
      response.end(Buffer.concat([Buffer.from('000dpackfile\n'), packet, Buffer.from('0000')]));
      return true;
    };
    await expect(fetch(host.url('repo.git'))).rejects.toMatchObject(failure('SOURCE_INVALID', detail));
  });

  it('brings names that differ in case alone, and links that lead out as the links that they are', async () => {
    const blobs = ['100644 blob %\tREADME', '100644 blob %\treadme', '120000 blob %\tout'];
    makeForgedRepository(join(host.directory, 'names.git'), blobs, '/etc/passwd');
    const { stdout } = await fixture.scripts.run({
      text: 'git --git-dir="$W/repo.git" ls-tree "--format=%(objectmode) %(path)" main',
      mounts: { workspace: await fetch(host.url('names.git')), workspaceReadOnly: true },
      timeoutMs: 10_000,
      maxOutputBytes: 10_000,
    });
    expect(stdout.toString()).toBe('100644 README\n120000 out\n100644 readme\n');
  });
});
