import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Project } from '@chirality/contracts';
import { GIT_HOST, OWNER, startGitHost, startStack, TestClient, type GitHost } from '@chirality/testing';
import { figureRow, ratioRow, type Row } from '../report';
import { makeLargeRepository } from './large-repository';

const FULL = { files: 100_000, bytesEach: 10_485 };
const LOOK_EVERY_MS = 50;

/**
 * A repository of 1 GB with 100,000 files, or a share of it: fetched as a project beside a bare `git clone` from the
 * same host, stopped in the middle, and its first session. All on this machine's loopback.
 */
export async function measureClone(size: number): Promise<Row[]> {
  const host = await startGitHost();
  const stack = await startStack({
    workers: 1,
    env: {
      NODE_ENV: 'test',
      CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
      CHIRALITY_TEST_AUTHORITIES: host.authorities,
    },
  });
  try {
    const files = Math.round(FULL.files * size);
    process.stderr.write(`making a repository of ${files} files …\n`);
    await makeLargeRepository(join(host.directory, 'large.git'), files, FULL.bytesEach);
    const bareMs = await bareClone(host);
    const client = await TestClient.login(stack.url, OWNER.email, OWNER.password);
    const stopped = await stopInTheMiddle(client, host);
    const fetched = await fetchProject(client, host, stack.workers[0]?.pid ?? 0);
    const session = await firstSession(client, fetched.id);
    return [
      ratioRow(
        'fetched, as a ratio to git clone --bare',
        [fetched.ms / bareMs],
        {},
        `${ms(fetched.ms)} to ${ms(bareMs)}`,
      ),
      figureRow('progress that a client saw', fetched.seen, 'states', { least: 3 }, fetched.what),
      figureRow('stopped in the middle: git is gone after', stopped.ms, 'ms', { most: 2_500 }, stopped.what),
      figureRow(
        'first session: files listed after',
        session.ms,
        'ms',
        { most: 5_000 },
        'POST of the session to its list of files',
      ),
      figureRow('second session', (await firstSession(client, fetched.id)).ms, 'ms', {}, 'the same once more'),
      figureRow('highest memory of the worker', fetched.memoryMb, 'MB', { most: 600 }, 'its own process, VmHWM'),
    ];
  } finally {
    await stack.stop();
    await host.close();
  }
}

async function bareClone(host: GitHost): Promise<number> {
  const target = join(host.directory, 'bare-clone');
  const startedAt = performance.now();
  const git = spawn(
    'git',
    [
      ...['-c', `http.curloptResolve=${GIT_HOST}:${host.port}:127.0.0.1`],
      ...['-c', 'transfer.fsckObjects=true', 'clone', '-q', '--bare', host.url('large.git'), target],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, GIT_SSL_CAINFO: host.authorities } },
  );
  const [code] = (await once(git, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`git clone ended with ${code}`);
  const took = performance.now() - startedAt;
  rmSync(target, { recursive: true });
  return took;
}

async function stopInTheMiddle(client: TestClient, host: GitHost): Promise<{ ms: number; what: string }> {
  const { id } = await create(client, host);
  let at = await read(client, id);
  while ((at.sourceState.progress?.bytes ?? 0) === 0 && at.sourceState.status !== 'ready') {
    await delay(LOOK_EVERY_MS);
    at = await read(client, id);
  }
  const startedAt = performance.now();
  await client.call('DELETE', `/v1/projects/${id}/fetch`);
  while (receivers().length > 0) await delay(LOOK_EVERY_MS);
  const took = performance.now() - startedAt;
  const { sourceState } = await read(client, id);
  return {
    ms: took,
    what: `${sourceState.error?.code ?? sourceState.status} at ${at.sourceState.progress?.percent} %`,
  };
}

async function fetchProject(client: TestClient, host: GitHost, workerPid: number) {
  const startedAt = performance.now();
  const { id } = await create(client, host);
  const seen = new Set<string>();
  for (;;) {
    const { sourceState } = await read(client, id);
    const { status, progress } = sourceState;
    if (progress !== null) seen.add(`${progress.phase} ${progress.bytes ?? 0} ${progress.objects?.done ?? 0}`);
    if (status === 'failed') throw new Error(JSON.stringify(sourceState.error));
    if (status === 'ready') break;
    await delay(LOOK_EVERY_MS);
  }
  const took = performance.now() - startedAt;
  const highest = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${workerPid}/status`, 'utf8'))?.[1];
  const phases = [...new Set([...seen].map((state) => state.split(' ')[0]))];
  return { id, ms: took, seen: seen.size, what: phases.join(', '), memoryMb: Number(highest) / 1024 };
}

async function firstSession(client: TestClient, projectId: string): Promise<{ ms: number }> {
  const startedAt = performance.now();
  const session = await client.createSession(projectId);
  const { status } = await client.call('GET', `/v1/sessions/${session.id}/files`);
  if (status !== 200) throw new Error(`the files answered ${status}`);
  return { ms: performance.now() - startedAt };
}

async function create(client: TestClient, host: GitHost): Promise<Project> {
  const source = { kind: 'git', url: host.url('large.git') };
  return (await client.call<Project>('POST', '/v1/projects', { name: 'Large', source })).body;
}

async function read(client: TestClient, id: string): Promise<Project> {
  return (await client.call<Project>('GET', `/v1/projects/${id}`)).body;
}

/** Processes of git that receive something. */
function receivers(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('remote-https');
    } catch {
      return false;
    }
  });
}

function ms(value: number): string {
  return `${(value / 1_000).toFixed(1)} s`;
}
