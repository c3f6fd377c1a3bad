import type { SlashCommand } from '../routes';
import { completeSlashCommand, parseSlashCommand } from './parse-slash-command';

const command = (line: string, properties = {}, required: string[] = [], more: Partial<SlashCommand> = {}) => {
  const [first = '', second] = line.split(':');
  return {
    namespace: second === undefined ? null : first,
    name: second ?? first,
    description: '',
    argsSchema: { type: 'object', properties, required },
    ...more,
  };
};
const COMMANDS: SlashCommand[] = [
  command('help'),
  command('model', { model: {} }),
  command('permissions'),
  command('permissions:promote', { rule: {} }, ['rule']),
  command('move', { to: { enum: ['up', 'down'] }, note: {} }, ['to']),
  command('fast', { model: {} }, [], { expandsTo: '/model haiku' }),
  command('m', { model: {} }, [], { expandsTo: '/model' }),
];
const parse = (text: string) => parseSlashCommand(text, COMMANDS);

describe('a message that begins with a slash', () => {
  it.each([
    ['/help', 'help', {}],
    ['/help  \n', 'help', {}],
    ['/model', 'model', {}],
    ['/model  claude sonnet ', 'model', { model: 'claude sonnet' }],
    ['/permissions:promote Bash(npm test *)', 'permissions:promote', { rule: 'Bash(npm test *)' }],
    ['/move up the second one', 'move', { to: 'up', note: 'the second one' }],
    ['/fast', 'model', { model: 'haiku' }],
    ['/m opus', 'model', { model: 'opus' }],
  ])('%j is a command', (text, line, args) => {
    expect(parse(text)).toEqual({ kind: 'command', line, args });
  });

  it.each(['/usr/bin is missing', '/nothing', '/Help', '/help:me', ' /help', '//help', '/', '', 'see /help', '/help,'])(
    '%j is text',
    (text) => expect(parse(text)).toEqual({ kind: 'text' }),
  );

  it.each([
    ['/help me', 'takes nothing'],
    ['/permissions:promote', '<rule>'],
    ['/move sideways', 'up, down'],
    ['/move', '<to>'],
  ])('%j is a command with a fault', (text, detail) => {
    expect(parse(text)).toMatchObject({ kind: 'fault', detail: expect.stringContaining(detail) });
  });
});

it('a beginning is completed by what begins so, then by what holds it', () => {
  const lines = (text: string) => completeSlashCommand(text, COMMANDS).map(({ name }) => name);
  expect(lines('/m')).toEqual(['model', 'move', 'm', 'permissions', 'promote']);
  expect(lines('/permissions:')).toEqual(['promote']);
  expect(lines('/')).toHaveLength(COMMANDS.length);
  expect([lines('m'), lines('/model x'), lines('/zz')]).toEqual([[], [], []]);
});
