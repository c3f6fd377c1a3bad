import { resourceOf } from './mcp-uris';

describe('the address of a resource', () => {
  it.each([
    ['chirality://v1/sessions', { kind: 'sessions' }],
    ['chirality://v1/runtime', { kind: 'runtime' }],
    ['chirality://v1/session/sess_1', { kind: 'session', sessionId: 'sess_1' }],
    ['chirality://v1/session/sess_1/log', { kind: 'log', sessionId: 'sess_1' }],
    ['chirality://v1/session/sess_1/events', { kind: 'events', sessionId: 'sess_1', since: 0 }],
    ['chirality://v1/session/sess_1/events?since=12', { kind: 'events', sessionId: 'sess_1', since: 12 }],
    ['chirality://v1/session/sess_1/files/a%20b/c.txt', { kind: 'file', sessionId: 'sess_1', path: 'a b/c.txt' }],
    ['chirality://v1/session/sess_1/files/what?.txt', { kind: 'file', sessionId: 'sess_1', path: 'what?.txt' }],
  ])('%s is understood', (uri, resource) => expect(resourceOf(uri)).toEqual(resource));

  it.each([
    'https://v1/sessions',
    'chirality://v2/sessions',
    'chirality://v1/profiles',
    'chirality://v1/sessions?x=1',
    'chirality://v1/session/',
    'chirality://v1/session/sess_1/events?since=x',
    'chirality://v1/session/sess_1/log?since=1',
    'chirality://v1/session/sess_1/files/',
    'chirality://v1/session/sess_1/files/%zz',
    'chirality://v1/session/../sessions',
  ])('%s is none', (uri) => expect(resourceOf(uri)).toBeNull());
});
