import type { SourceProgress } from '@chirality/contracts';
import { NO_PRIVATE_HOSTS } from '@chirality/domain';
import { FetchFailedError } from '../project/fetch-failure';
import { ScriptFailure } from '../script/script-failure';
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
  expect(report.submodules).toMatchObject({
    included: 2,
    leftCount: 1,
    left: [{ path: 'secret', reason: expect.stringMatching(/not public.*no git account/) as string }],
  });
});

describe('what a project names as its submodules', () => {
  const OWN = '4'.repeat(40);
  const listed = (entries: [path: string, url: string][]) =>
    entries
      .flatMap(([path, url]) => [
        `G${OWN} ${path}`,
        `Csubmodule.${path}.path\n${path}`,
        `Csubmodule.${path}.url\n${url}`,
      ])
      .map((entry) => `${entry}\0`)
      .join('');
  const bring = (answers: (string | Error)[]) => {
    const progress: SourceProgress[] = [];
    const run = async () => {
      const answer = answers.shift() ?? '';
      if (answer instanceof Error) throw answer;
      return { stdout: Buffer.from(answer), truncated: false };
    };
    const submodules = new Submodules({
      privateHosts: NO_PRIVATE_HOSTS,
      scripts: { run } as unknown as ConstructorParameters<typeof Submodules>[0]['scripts'],
      remotes: {
        run: async (_act, _url, { onProgress }) => {
          onProgress?.({ phase: 'receiving', percent: 7, bytes: 70 });
          return '';
        },
      },
    });
    const brought = submodules.bring({
      act: { teamId: 'team_1', userId: 'user_1', projectId: 'proj_1', what: 'fetch' },
      url: 'https://git.example.com/team/app.git',
      directory: '/nowhere',
      commit: '0'.repeat(40),
      stopped: new AbortController().signal,
      onProgress: (at) => progress.push(at),
    });
    return brought.then(({ report }) => ({ report, progress }));
  };
  const broken = () => new ScriptFailure(128, 'fatal: not a tree object');

  it('is said where it cannot be listed, and the project is fetched without it', async () => {
    const { report } = await bring([broken(), broken()]);
    expect(report).toEqual({
      submodules: {
        included: 0,
        leftCount: 1,
        left: [{ path: '.gitmodules', reason: expect.stringMatching(/could not be listed/) as string }],
      },
      lfs: null,
      leftOut: null,
    });
  });

  it('leaves a submodule here whose list cannot be had, and progress names what is being fetched', async () => {
    const { report, progress } = await bring([listed([['lib', '../lib.git']]), broken()]);
    expect(report.submodules).toMatchObject({ included: 1, left: [{ path: 'lib/.gitmodules' }] });
    expect(progress.map(({ phase, submodule }) => `${phase} ${submodule}`)).toEqual([
      'connecting lib',
      'receiving lib',
    ]);
  });

  it('needs no address of a commit that comes by another path', async () => {
    const { report } = await bring([
      listed([
        ['other', 'https://other.example.com/lib.git'],
        ['lib', '../lib.git'],
      ]),
    ]);
    expect(report.submodules).toEqual({ included: 2, leftCount: 0, left: [] });
  });
});
