import { hostView } from './host-view';

it('turns whole paths inside into paths of the host, and nothing that only begins like one', () => {
  const paths = {
    workspace: '/data/w',
    config: '/data/c',
    modelSocket: '/run/m',
    extraReadOnly: [['/data/prompt.md', '/opt/chirality/prompt.md']] as const,
  };
  const translate = hostView(paths, { program: ['/opt/agent/agent', '/srv/agent'], home: '/run/home' });
  const inside = [
    '/workspace',
    '/workspace/a b',
    '/workspaces',
    '/config/x',
    '/run/model.sock',
    '/opt/agent/agent',
    '/opt/chirality/prompt.md',
    '--flag',
    '/project/objects',
    '/home/agent',
  ];
  expect(inside.map(translate)).toEqual([
    '/data/w',
    '/data/w/a b',
    '/workspaces',
    '/data/c/x',
    '/run/m',
    '/srv/agent',
    '/data/prompt.md',
    '--flag',
    '/project/objects',
    '/run/home',
  ]);
});
