import { parseGitAddress, type GitAddress } from './git-address';
import { isBesideProject, submoduleAddress } from './submodule-address';

const at = (url: string): GitAddress => {
  const address = parseGitAddress(url);
  if (!address) throw new Error(url);
  return address;
};
const HTTPS = at('https://git.example.com/team/app.git');
const SSH = at('ssh://git@git.example.com/team/app.git');
const SCP = at('git@git.example.com:team/app.git');

it.each<[GitAddress, string, string]>([
  [HTTPS, '../lib.git', 'https://git.example.com/team/lib.git'],
  [HTTPS, './lib', 'https://git.example.com/team/app.git/lib'],
  [HTTPS, '../../other/lib.git', 'https://git.example.com/other/lib.git'],
  [SSH, '../lib.git', 'ssh://git@git.example.com/team/lib.git'],
  [SCP, '../lib.git', 'git@git.example.com:team/lib.git'],
  [at('git@git.example.com:/srv/app.git'), '../lib.git', 'git@git.example.com:/srv/lib.git'],
  [HTTPS, 'https://git.example.com/a/b.git', 'https://git.example.com/a/b.git'],
  [HTTPS, 'git@git.example.com:a/b.git', 'https://git.example.com/a/b.git'],
  [SCP, 'https://git.example.com/a/b.git', 'git@git.example.com:a/b.git'],
  [at('https://git.example.com:8443/a.git'), '../b.git', 'https://git.example.com:8443/b.git'],
])('%# a submodule of the same host is fetched from there, as the project is', (parent, given, url) => {
  expect(submoduleAddress(parent, given)).toMatchObject({ url, host: parent.host, port: parent.port });
});

it.each<[GitAddress, string, RegExp]>([
  [HTTPS, 'https://other.example.com/a.git', /on another host \(other\.example\.com\)/],
  [HTTPS, 'https://git.example.com:8443/a.git', /another port/],
  [at('https://git.example.com:8443/a.git'), 'git@git.example.com:a/b.git', /another port/],
  [HTTPS, 'file:///etc', /path of another machine/],
  [HTTPS, '/srv/git/a.git', /path of another machine/],
  [HTTPS, 'C:\\repos\\a', /path of another machine/],
  [HTTPS, '', /path of another machine/],
  [HTTPS, 'ext::sh -c id', /only https and ssh/],
  [HTTPS, 'http://git.example.com/a.git', /only https and ssh/],
  [HTTPS, 'https://ada:s3cret@git.example.com/a.git', /only https and ssh/],
  [HTTPS, '--upload-pack=id', /only https and ssh/],
  [HTTPS, '../../../../etc/passwd', /above the host/],
  [HTTPS, '../..', /above the host/],
  [HTTPS, '../x/../../../../y', /\.\. in its path/],
  [HTTPS, '../%2e%2e/%2E%2e/y', /\.\. in its path/],
  [SCP, 'git@git.example.com:../../etc', /\.\. in its path/],
])('%# a submodule elsewhere is refused without its address', (parent, given, why) => {
  const refused = submoduleAddress(parent, given);
  expect(refused).toMatch(why);
  expect(JSON.stringify(refused)).not.toContain('s3cret');
});

it.each<[GitAddress, string, boolean]>([
  [HTTPS, 'https://git.example.com/team/lib.git', true],
  [HTTPS, 'https://git.example.com/team/below/lib.git', true],
  [HTTPS, 'https://git.example.com/other/lib.git', false],
  [HTTPS, 'https://git.example.com/team2/lib.git', false],
  [HTTPS, 'https://git.example.com/te%61m/lib.git', false],
  [SCP, 'git@git.example.com:team/lib.git', true],
  [SCP, 'git@git.example.com:ada/secret.git', false],
  [at('https://git.example.com/group/sub/app.git'), 'https://git.example.com/group/lib.git', false],
  [at('https://git.example.com/app.git'), 'https://git.example.com/lib.git', true],
])('%# a submodule is beside its project where it is in the same group', (project, url, isBeside) => {
  expect(isBesideProject(project, at(url))).toBe(isBeside);
});
