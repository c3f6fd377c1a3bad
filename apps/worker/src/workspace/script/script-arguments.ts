/** A path given as bytes need not be UTF-8, which is all that the arguments of a process can be. */
export type ScriptArgument = string | Buffer;

/**
 * The arguments of a script, and the lines that its text begins with so that `$1`, `$2` and so on are the same bytes:
 * those that are not UTF-8 are passed with every byte escaped.
 */
export function scriptArguments(args: readonly ScriptArgument[]): { preparation: string; passed: string[] } {
  const isPlain = (arg: ScriptArgument) => typeof arg === 'string' || Buffer.from(arg.toString('utf8')).equals(arg);
  const passed = args.map((arg) => (isPlain(arg) ? arg.toString() : octal(arg)));
  const escaped = args.flatMap((arg, at) => (isPlain(arg) ? [] : at + 1));
  if (escaped.length === 0) return { preparation: '', passed };
  // A dot guards line ends at the end of a name from `$()`.
  const lines = escaped.map((at) => `bytes_${at}=$(printf '%b.' "\${${at}}")`);
  const words = args.map((_, index) =>
    escaped.includes(index + 1) ? `"\${bytes_${index + 1}%.}"` : `"\${${index + 1}}"`,
  );
  return { preparation: `${lines.join('\n')}\nset -- ${words.join(' ')}\n`, passed };
}

function octal(arg: ScriptArgument): string {
  return [...Buffer.from(arg)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join('');
}
