import type { ApiRequest } from '../api/request';
import { readConversation } from './conversation';

const REMINDER = { type: 'text', text: '<system-reminder>\nplan to run the tests\n</system-reminder>' };
const text = (value: string): { type: string; text: string } => ({ type: 'text', text: value });
const request = (messages: ApiRequest['messages'], over: Partial<ApiRequest> = {}): ApiRequest => ({
  model: 'm',
  stream: true,
  system: '',
  tools: ['Bash'],
  answerSchema: null,
  maxTokens: null,
  messages,
  ...over,
});
const call = (id: string): ApiRequest['messages'][number] => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }],
});
const result = (id: string, ...more: { type: string; text: string }[]): ApiRequest['messages'][number] => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: [text(`${id} done`)] }, ...more],
});

describe('reading a conversation', () => {
  it('takes the newest words of a person, without what the program puts around them', () => {
    const read = readConversation(
      request([
        { role: 'user', content: [REMINDER, text('first')] },
        { role: 'assistant', content: 'answer' },
        {
          role: 'user',
          content: [
            text('[Request interrupted by user]'),
            { type: 'image', text: '' },
            text('second <pasted_content id="1">pasted</pasted_content>'),
            REMINDER,
            text('[Image: source: /tmp/claude-1000/-workspace/images/1.png]'),
          ],
        },
        {
          role: 'system',
          content: [text('# Environment\n - Primary working directory: /workspace\n - Platform: linux')],
        },
      ]),
    );
    expect(read).toMatchObject({
      asked: 'second pasted',
      earlier: ['first'],
      step: 0,
      calls: [],
      workingDirectory: '/workspace',
    });
  });

  it('counts the answers and pairs the calls since then', () => {
    const messages = [
      { role: 'user', content: 'go' },
      call('a'),
      result('a', text('Tool loaded.'), REMINDER),
      call('b'),
    ];
    expect(readConversation(request(messages))).toMatchObject({
      asked: 'go',
      step: 2,
      calls: [
        { name: 'Bash', input: { command: 'a' }, result: { text: 'a done', isError: false } },
        { name: 'Bash', input: { command: 'b' }, result: null },
      ],
    });
  });

  it('takes the last of messages that nothing was answered to', () => {
    expect(
      readConversation(request([{ role: 'user', content: [text('fail'), REMINDER, text('continue')] }])),
    ).toMatchObject({ asked: 'continue', earlier: ['fail'] });
  });

  it('does not take what the program writes in a person’s name for a new message', () => {
    const continued = {
      role: 'user',
      content: [text('<system-reminder>\nOutput token limit hit.\n</system-reminder>')],
    };
    const summary = {
      role: 'user',
      content: [text('This session is being continued from a previous conversation that ran out of context.')],
    };
    expect(
      readConversation(request([{ role: 'user', content: 'go' }, { role: 'assistant', content: 'part' }, continued])),
    ).toMatchObject({ asked: 'go', step: 1 });
    expect(readConversation(request([summary, { role: 'user', content: 'go' }]))).toMatchObject({
      asked: 'go',
      earlier: [],
    });
  });

  it('reads nothing where there is nothing', () => {
    expect(readConversation(request([]))).toMatchObject({ asked: '', step: 0, calls: [], workingDirectory: null });
  });
});
