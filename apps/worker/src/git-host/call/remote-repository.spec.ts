import { ownerAndName, remoteRepositoryOf } from './remote-repository';

it.each([
  ['https://github.com/ada/engine.git', 'github.com', 'ada/engine'],
  ['https://git.example.com:8443/team/sub/engine', 'git.example.com:8443', 'team/sub/engine'],
  ['ssh://git@Git.Example.com:2222/ada/engine.git', 'git.example.com', 'ada/engine'],
  ['git@github.com:ada/engine.git', 'github.com', 'ada/engine'],
  ['git.example.com:ada/engine', 'git.example.com', 'ada/engine'],
  ['https://git.example.com/%E5%9B%A2/engine.git/', 'git.example.com', '团/engine'],
])('%s is on %s', (address, host, path) => {
  expect(remoteRepositoryOf(address)).toEqual({ host, path });
});

it.each([
  'http://git.example.com/ada/engine.git',
  'file:///srv/engine.git',
  'https://git.example.com/engine.git',
  'https://git.example.com/ada%2f..%2fother/engine',
  'git@git.example.com:../ada/engine',
  'https://git.example.com/ada/%ff',
])('%s has no API', (address) => {
  expect(remoteRepositoryOf(address)).toBeNull();
});

it('has owner and name only where the path has two parts', () => {
  expect(ownerAndName({ host: 'h', path: 'ada/engine' })).toEqual({ owner: 'ada', repo: 'engine' });
  expect(ownerAndName({ host: 'h', path: 'a/b/c' })).toBeNull();
});
