import { MESSAGE_LIMIT_BYTES } from '@chirality/contracts';
import { sizeProblem } from './message-size';
import { markOf, pastedText } from '../../lib/message/pasted-text';

const plain = (text: string) => sizeProblem({ text, pasted: [] });

describe('the size of a message', () => {
  it.each([
    ['nothing', '', null],
    ['exactly the limit', 'a'.repeat(MESSAGE_LIMIT_BYTES), null],
    ['the limit in longer characters', 'é'.repeat(MESSAGE_LIMIT_BYTES / 2), null],
    ['one byte more', 'a'.repeat(MESSAGE_LIMIT_BYTES + 1), /4\.00 MiB \(1 byte too many\); the limit is 4 MiB/],
    ['few characters of many bytes', '漢'.repeat(MESSAGE_LIMIT_BYTES / 2), /6\.00 MiB/],
  ])('%s', (_, text, problem) => {
    if (problem === null) expect(plain(text)).toBeNull();
    else expect(plain(text)).toMatch(problem);
  });

  it('is that of what is sent: of pasted texts and what is written around them, not of their marks', () => {
    const item = pastedText('a', 1, 'é'.repeat(MESSAGE_LIMIT_BYTES / 2 - 1));
    const around = (text: string) => sizeProblem({ text: `${text}${markOf(item)}`, pasted: [item] });
    expect([around('ab'), around('é'), around('')]).toEqual([null, null, null]);
    expect(around('abc')).toMatch(/4\.00 MiB \(1 byte too many\)/);
    expect(sizeProblem({ text: markOf(item).repeat(2), pasted: [item] })).toMatch(/8\.00 MiB/);
  });
});
