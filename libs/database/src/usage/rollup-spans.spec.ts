import { rollupSpans } from './rollup-spans';

const DAY_MS = 86_400_000;
const at = (text: string) => new Date(`2026-03-${text}Z`);

describe('a range in buckets', () => {
  it.each([
    ['all time is whole', null, null, { whole: { from: null, to: null }, edges: [] }],
    [
      'days that begin and end with a bucket are whole',
      at('01T00:00:00'),
      at('04T00:00:00'),
      { whole: { from: at('01T00:00:00'), to: at('04T00:00:00') }, edges: [] },
    ],
    [
      'what lies before the first and after the last whole bucket is apart',
      at('01T05:30:00'),
      at('04T05:30:00'),
      {
        whole: { from: at('02T00:00:00'), to: at('04T00:00:00') },
        edges: [
          { from: at('01T05:30:00'), to: at('02T00:00:00') },
          { from: at('04T00:00:00'), to: at('04T05:30:00') },
        ],
      },
    ],
    [
      'an open end has no edge',
      at('01T05:30:00'),
      null,
      { whole: { from: at('02T00:00:00'), to: null }, edges: [{ from: at('01T05:30:00'), to: at('02T00:00:00') }] },
    ],
    [
      'a range without a whole bucket is one edge',
      at('01T22:00:00'),
      at('02T03:00:00'),
      { whole: null, edges: [{ from: at('01T22:00:00'), to: at('02T03:00:00') }] },
    ],
    ['an empty range has nothing', at('02T03:00:00'), at('01T22:00:00'), { whole: null, edges: [] }],
  ])('%s', (_, from, to, spans) => expect(rollupSpans({ from, to }, DAY_MS)).toEqual(spans));
});
