import { spawnSync } from 'node:child_process';
import { scriptArguments, type ScriptArgument } from './script-arguments';

/** What a shell has of them. */
function seen(args: readonly ScriptArgument[]): string[] {
  const { preparation, passed } = scriptArguments(args);
  const text = `set -eu\n${preparation}printf '%s\\0' "$@"`;
  const { stdout } = spawnSync('/bin/sh', ['-c', text, 'test', ...passed], { encoding: 'latin1' });
  return stdout.split('\0').slice(0, -1);
}

it('arguments of a script are the same bytes in it, whatever they are', () => {
  const odd = Buffer.from('a\xff\\n%s \'"$(x)\n\n', 'latin1');
  const many = Array.from({ length: 9 }, (_, at) => `${at}`);
  expect(seen(['plain', odd, '', ...many, Buffer.from('\xe4', 'latin1'), 'end\n'])).toEqual([
    'plain',
    odd.toString('latin1'),
    '',
    ...many,
    '\xe4',
    'end\n',
  ]);
});

it('need no preparation where all are UTF-8', () => {
  expect(scriptArguments(['a', Buffer.from('日本')])).toEqual({ preparation: '', passed: ['a', '日本'] });
});
