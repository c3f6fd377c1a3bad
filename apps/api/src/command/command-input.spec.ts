import { readCommandInput } from './command-input';

const session = 'sess_01J00000000000000000000000';

describe('what a command takes', () => {
  it('is read without the members that this release does not know, each of which it names', () => {
    const sent = { session, message: 'Hello', options: { model: 'haiku', colour: 'red' }, later: true };
    const { input, warnings } = readCommandInput('turn:send', sent);
    expect(input).toEqual({ session, message: 'Hello', options: { model: 'haiku' }, attachments: [], wait: false });
    expect(warnings.map(({ code, field }) => [code, field]).sort()).toEqual([
      ['UNKNOWN_FIELD', 'later'],
      ['UNKNOWN_FIELD', 'options.colour'],
    ]);
    expect(sent.options).toEqual({ model: 'haiku', colour: 'red' });
  });

  it('is refused where a member that it knows is not right, and named', () => {
    expect(() => readCommandInput('session:set_model', { session, model: '--flag', more: 1 })).toThrow(/model/);
    expect(() => readCommandInput('turn:interrupt', {})).toThrow(/session/);
    expect(() => readCommandInput('session:create', { projectId: 'proj_1', title: 'a\0b' })).toThrow(/NUL/);
  });

  it('keeps a message as it is', () => {
    expect(readCommandInput('turn:send', { session, message: 'a\0b' }).input.message).toBe('a\0b');
  });
});
