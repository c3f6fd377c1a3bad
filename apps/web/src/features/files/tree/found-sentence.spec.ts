import { foundSentence } from './found-sentence';

describe('what is said of a search for files', () => {
  const data = Array.from({ length: 2 }, (_, at) => ({ path: `${at}.ts`, kind: 'file' as const, size: 1 }));

  it.each([
    [{ data: [], total: 0 }, 'No results.'],
    [{ data: data.slice(1), total: 1 }, '1 result.'],
    [{ data, total: 2, atLeast: false }, '2 results.'],
    [{ data, total: 5_002 }, 'Showing 2 of 5,002 results. Type more of the name to find the others.'],
    [{ data: [], total: 0, atLeast: true }, 'No results. The search took too long, so there may be more.'],
  ])('%j', (list, sentence) => {
    expect(foundSentence(list)).toBe(sentence);
  });
});
