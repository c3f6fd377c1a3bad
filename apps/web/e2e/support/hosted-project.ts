import { join } from 'node:path';
import type { Project } from '@chirality/contracts';
import { GIT_HOST, HostApi, makeGitRepository, runGit, startGitHost, waitFor } from '@chirality/testing';
import { BrowserStack } from './browser-stack';

/** Ada's token at the host, by which her account is known there. */
export const TOKEN = 'token-of-ada-at-the-host';

const REPOSITORY = 'ada/engine.git';

export type HostedProject = {
  /** GitHub's API at that host. */
  api: HostApi;
  stack: BrowserStack;
  projectId: string;
  /** Where the host has the repository. */
  repository: string;
  stop(): Promise<void>;
};

/** A stack whose owner has a git account at a host of this process, and a fetched project of a repository there. */
export async function startHostedProject(): Promise<HostedProject> {
  const host = await startGitHost();
  const repository = join(host.directory, REPOSITORY);
  makeGitRepository(repository, [{ 'count.txt': 'one' }]);
  runGit(repository, ['config', 'http.receivepack', 'true']);
  const api = new HostApi('github');
  api.state.token = TOKEN;
  api.state.origin = `https://${GIT_HOST}:${host.port}`;
  host.answerFirst = (request, response) => api.handle(request, response);
  const stack = await BrowserStack.start({
    env: {
      NODE_ENV: 'test',
      CHIRALITY_TEST_HOSTS: JSON.stringify({ [GIT_HOST]: '127.0.0.1' }),
      CHIRALITY_TEST_AUTHORITIES: host.authorities,
    },
  });
  const stop = async () => {
    await stack.stop();
    await host.close();
  };
  try {
    const { owner } = stack;
    const account = { scope: 'user', host: `${GIT_HOST}:${host.port}`, kind: 'token', secret: TOKEN };
    expect((await owner.call('POST', '/v1/git-accounts', account)).status).toBe(201);
    const { body: project } = await owner.call<Project>('POST', '/v1/projects', {
      name: 'Engine',
      source: { kind: 'git', url: host.url(REPOSITORY) },
    });
    const state = async () => (await owner.call<Project>('GET', `/v1/projects/${project.id}`)).body.sourceState.status;
    await waitFor(async () => (await state()) === 'ready', { what: 'the project is fetched', timeoutMs: 60_000 });
    return { api, stack, projectId: project.id, repository, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
