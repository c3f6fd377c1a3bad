import { message, text, toolUse, type Reply, type ToolUseBlock } from '../../api/reply';
import type { Conversation, ToolCall } from '../../conversation/conversation';
import { commandFor, contentFor } from '../file-contents';
import { extensionOf, fileIn, offer, quoted } from '../phrases';
import type { Script } from '../script';
import { callsOf, inProject, listedFiles, listFiles, read, succeeded, wasDenied } from '../tool-calls';

const BY_KIND: readonly (readonly [RegExp, string])[] = [
  [/python/i, 'hello.py'],
  [/typescript/i, 'hello.ts'],
  [/javascript|node/i, 'hello.js'],
  [/shell|bash|script/i, 'hello.sh'],
  [/html|web ?page|page/i, 'hello.html'],
  [/json/i, 'hello.json'],
];

/** Writes a new file. An existing one is never replaced: the next free name is taken. */
export const createFile: Script = {
  name: 'create-file',
  fits: ({ asked }) =>
    /\b(create|write|generate|make|new)\b/i.test(asked) &&
    (fileIn(asked) !== null || /\b(file|script|program|page)\b/i.test(asked)),
  play: (conversation) => {
    const wanted =
      fileIn(conversation.asked) ?? BY_KIND.find(([kind]) => kind.test(conversation.asked))?.[1] ?? 'hello.md';
    const written = callsOf(conversation, 'Write').at(-1);
    if (written) return outcome(written, conversation);
    if (conversation.calls.length === 0)
      return message(text(`I will see whether \`${wanted}\` is free.`), isThere(conversation, wanted));
    const file = freeName(conversation, wanted);
    if (file === null)
      return message(
        text(`\`${wanted}\` is there already, and I do not replace what I did not write. Name another file.`),
      );
    const announcement =
      file === wanted
        ? `It is. I write \`${file}\`.`
        : `\`${wanted}\` is there already. I leave it alone and take \`${file}\`.`;
    return message(
      text(announcement),
      toolUse('Write', { file_path: inProject(conversation, file), content: contentFor(file) }),
    );
  },
};

function isThere(conversation: Conversation, wanted: string): ToolUseBlock {
  return conversation.tools.has('Bash') || conversation.tools.has('Glob')
    ? listFiles(conversation)
    : read(conversation, wanted);
}

/** The wanted name or the next one with a number; null when it is taken and nothing says which others are. */
function freeName(conversation: Conversation, wanted: string): string | null {
  const files = listedFiles(conversation);
  if (files === null) return callsOf(conversation, 'Read').some(succeeded) ? null : wanted;
  for (let number = 2; files.includes(wanted) && number < 100; number += 1) {
    if (!files.includes(numbered(wanted, number))) return numbered(wanted, number);
  }
  return files.includes(wanted) ? null : wanted;
}

function numbered(file: string, number: number): string {
  const extension = extensionOf(file);
  return extension === '' ? `${file}-${number}` : `${file.slice(0, -extension.length - 1)}-${number}.${extension}`;
}

function outcome(written: ToolCall, { workingDirectory }: Conversation): Reply {
  const file = String(written.input['file_path']).replace(`${workingDirectory ?? ''}/`, '');
  if (wasDenied(written))
    return message(
      text(
        `I was not allowed to write \`${file}\`, so nothing was changed.\n\n> ${written.result?.text.slice(0, 300) ?? ''}`,
      ),
    );
  if (!succeeded(written))
    return message(text(`The file could not be written:\n\n${quoted(written.result?.text ?? '')}`));
  const command = commandFor(file);
  return message(
    text(
      `\`${file}\` is there now. This is what is in it:\n\n${quoted(contentFor(file), extensionOf(file))}\n\nYou find it in the file tree, and as a new file in the diff. ` +
        (command === null
          ? offer('edit', 'explain')
          : `To try it, write “run \`${command}\`”: I will ask for your permission first.`),
    ),
  );
}
