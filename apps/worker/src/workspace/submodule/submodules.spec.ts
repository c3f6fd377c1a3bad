import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { FetchFailedError } from '../project/fetch-failure';
import { Submodules } from './submodules';

const COMMITS = { beside: '1'.repeat(40), foreign: '2'.repeat(40), secret: '3'.repeat(40) };
const URLS = {
  beside: '../lib.git',
  foreign: '../../other/public.git',
  secret: 'https://git.example.com/ada/secret.git',
};

/** What LIST_SUBMODULES prints for the project; nothing for the submodules. */
const LISTED = Object.entries(URLS)
  .flatMap(([path, url]) => [
    `G${COMMITS[path as keyof typeof COMMITS]} ${path}`,
    `Csubmodule.${path}.path\n${path}`,
    `Csubmodule.${path}.url\n${url}`,
  ])
  .map((entry) => `${entry}\0`)
  .join('');

it('an account is used for submodules beside the project alone, since who writes to it names any repository', async () => {
  const asked: Record<string, boolean | undefined> = {};
  let lists = 0;
  const submodules = new Submodules({
    privateHosts: NO_PRIVATE_HOSTS,
    scripts: {
      run: async () => ({ stdout: Buffer.from(lists++ === 0 ? LISTED : ''), truncated: false }),
    } as unknown as ConstructorParameters<typeof Submodules>[0]['scripts'],
    remotes: {
      run: async (_act, url, { withoutAccount }) => {
        asked[url] = withoutAccount;
        if (url.includes('secret'))
          throw new FetchFailedError({ code: 'GIT_AUTH_FAILED', detail: 'Add an account in your settings.' });
        return '';
      },
    },
  });
  const { report } = await submodules.bring({
    act: { teamId: 'team_1', userId: 'user_1', projectId: 'proj_1', what: 'refresh' },
    url: 'https://git.example.com/team/app.git',
    directory: '/nowhere',
    commit: '0'.repeat(40),
    stopped: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect(asked).toEqual({
    'https://git.example.com/team/lib.git': false,
    'https://git.example.com/other/public.git': true,
    'https://git.example.com/ada/secret.git': true,
  });
  expect(report).toMatchObject({
    included: 2,
    leftCount: 1,
    left: [{ path: 'secret', reason: expect.stringMatching(/not public.*no git account/) as string }],
  });
});
