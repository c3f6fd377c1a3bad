import { aliasFault } from './alias-fault';
import { BUILT_IN_COMMANDS, commandLine } from './built-in-commands';

const alias = (name: string, expandsTo = '/model haiku') => ({ name, expandsTo });

describe('aliases of a team', () => {
  it('stand for built-in commands with what follows them', () => {
    expect(aliasFault([alias('fast'), alias('again', '/sessions:resume nightly build')])).toBeNull();
  });

  it.each(BUILT_IN_COMMANDS.map((command) => command.name))('never stand before /%s', (name) => {
    expect(aliasFault([alias(name)])).toMatchObject({ path: 'aliases.0.name' });
  });

  it.each([
    ['a namespace', [alias('sessions')], 'aliases.0.name'],
    ['the name of a command that is to come', [alias('skills')], 'aliases.0.name'],
    ['a name twice', [alias('fast'), alias('fast')], 'aliases.1.name'],
    ['what is no command', [alias('x', '/nothing')], 'aliases.0.expandsTo'],
    ['another alias', [alias('fast'), alias('x', '/fast')], 'aliases.1.expandsTo'],
    ['control characters', [alias('x', '/model \u202eukiah')], 'aliases.0.expandsTo'],
  ])('are refused for %s', (_what, aliases, path) => {
    expect(aliasFault(aliases)?.path).toBe(path);
  });
});

it('each built-in command has its own line', () => {
  const lines = BUILT_IN_COMMANDS.map(commandLine);
  expect(new Set(lines).size).toBe(lines.length);
});
