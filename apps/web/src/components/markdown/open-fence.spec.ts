import { openFence } from './open-fence';

describe('a block that is one fence', () => {
  it.each([
    ['```ts\nconst a', { language: 'ts', code: 'const a' }],
    ['```', { language: null, code: '' }],
    ['```js title="x"\na\n```\n', { language: 'js', code: 'a' }],
    ['~~~~\n~~~\nx\n~~~~', { language: null, code: '~~~\nx' }],
    ['```\n```', { language: null, code: '' }],
  ])('%j', (block, fence) => {
    expect(openFence(block)).toEqual(fence);
  });

  it.each(['text', '```\na\n```\nmore text', '``inline``', '```a`b'])('is not %j', (block) => {
    expect(openFence(block)).toBeNull();
  });
});
