import { MESSAGE_LIMIT_BYTES } from '@chirality/contracts';
import { sizeProblem } from './message-size';

describe('the size of a message', () => {
  it.each([
    ['nothing', '', null],
    ['exactly the limit', 'a'.repeat(MESSAGE_LIMIT_BYTES), null],
    ['the limit in longer characters', 'é'.repeat(MESSAGE_LIMIT_BYTES / 2), null],
    ['one byte more', 'a'.repeat(MESSAGE_LIMIT_BYTES + 1), /4\.00 MiB \(1 bytes too many\); the limit is 4 MiB/],
    ['few characters of many bytes', '漢'.repeat(MESSAGE_LIMIT_BYTES / 2), /6\.00 MiB/],
  ])('%s', (_, text, problem) => {
    if (problem === null) expect(sizeProblem(text)).toBeNull();
    else expect(sizeProblem(text)).toMatch(problem);
  });
});
