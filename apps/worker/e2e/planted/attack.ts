/**
 * Something that a command leaves behind for what is started later. `$C`, `$SID` and `$HOME` are the program's directory,
 * the conversation and the home directory; `$RUN` is a command that leaves this attack's mark, and `$WORD` a word that
 * only this attack could bring before the model.
 */
export type Attack = {
  name: string;
  files?: Readonly<Record<string, string>>;
  /** Run after the files are there. */
  also?: string;
  /** The denied command that it would have allowed. */
  allows?: true;
};

export const markOf = (attack: Attack): string => `ran-${slugOf(attack)}`;
export const wordOf = (attack: Attack): string => `planted-${slugOf(attack)}-word`;
/** Denied by the project's rule, whatever was planted. */
export const deniedCommand = (attack: Attack): string => `touch ${markOf(attack)}`;

/** One shell command that plants all of them. Encoded, so that the conversation itself holds none of their words. */
export function plantingCommand(attacks: readonly Attack[]): string {
  const script = [
    'C=$CLAUDE_CONFIG_DIR SID=$CLAUDE_CODE_SESSION_ID',
    ...attacks.map(stepsOf),
    'rm -f /workspace/ran-*',
    'exit 0',
  ].join('\n');
  return `printf %s ${Buffer.from(script).toString('base64')} | base64 -d | bash`;
}

function stepsOf(attack: Attack): string {
  const fill = (text: string) =>
    text
      .replaceAll('$RUN', `: > /workspace/${markOf(attack)}`)
      .replaceAll('$MARK', markOf(attack))
      .replaceAll('$WORD', wordOf(attack));
  const files = Object.entries(attack.files ?? {}).map(([path, content]) => {
    const encoded = Buffer.from(fill(content)).toString('base64');
    return `mkdir -p "$(dirname "${path}")"; printf %s ${encoded} | base64 -d > "${path}"`;
  });
  // One that cannot be planted must not keep the others from it.
  return `( ${[...files, fill(attack.also ?? ':')].join('; ')} ) 2>/dev/null`;
}

function slugOf({ name }: Attack): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
