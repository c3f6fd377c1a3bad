import { recalled } from './message-history';

const messages = ['latest', 'middle', 'first'];

describe('stepping through one’s own messages', () => {
  it.each([
    ['from an empty field to the latest', '', 'older', 'latest'],
    ['further back', 'latest', 'older', 'middle'],
    ['not beyond the first', 'first', 'older', null],
    ['forward again', 'middle', 'newer', 'latest'],
    ['to the empty field', 'latest', 'newer', ''],
    ['nothing is newer than an empty field', '', 'newer', null],
    ['never over what was written or changed', 'latest, changed', 'older', null],
  ] as const)('%s', (_, text, step, shown) => {
    expect(recalled(messages, text, step)).toBe(shown);
  });
});
