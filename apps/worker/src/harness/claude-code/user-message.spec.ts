import type { MessageBlock } from '../harness';
import { userMessage } from './user-message';

const picture: MessageBlock = { type: 'image', mediaType: 'image/png', name: 'a.png', data: Buffer.from('png') };
const paper: MessageBlock = { type: 'document', mediaType: 'application/pdf', name: 'a.pdf', data: Buffer.from('pdf') };
const contentOf = (line: Record<string, unknown>) => (line['message'] as { content: unknown }).content;

describe('the line that says a message', () => {
  it('is the person’s words, verbatim', () => {
    expect(userMessage('message', '/clear')).toEqual({
      type: 'user',
      message: { role: 'user', content: '/clear' },
      parent_tool_use_id: null,
      session_id: '',
      client_composed: true,
    });
  });

  it('has pictures and documents before the words, in their order', () => {
    const line = userMessage('message', 'Look', [paper, picture]);
    expect(line).toMatchObject({ client_composed: true });
    expect(contentOf(line)).toEqual([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } },
      { type: 'text', text: 'Look' },
    ]);
  });

  it.each([
    { ...picture, mediaType: 'image/svg+xml' },
    { ...picture, mediaType: 'application/pdf' },
    { ...paper, mediaType: 'text/html' },
    { ...paper, mediaType: 'image/png' },
  ])('never has a $type of type $mediaType', (block) => {
    expect(() => userMessage('message', 'Look', [block])).toThrow(/goes into a message/);
  });

  it('is the command where the conversation is compacted', () => {
    expect(contentOf(userMessage('compact', 'anything', [picture]))).toBe('/compact');
  });
});
