import { message, text, toolUse, type Reply } from '../../api/reply';
import type { Conversation } from '../../conversation/conversation';
import { commandFor, contentFor } from '../file-contents';
import { extensionOf, fileIn, offer, quoted } from '../phrases';
import type { Script } from '../script';
import { callsOf, inProject, succeeded, wasDenied } from '../tool-calls';

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
  fits: ({ asked }) => /\b(create|write|generate|make|new)\b/i.test(asked) && (fileIn(asked) !== null || /\b(file|script|program|page)\b/i.test(asked)),
  play: (conversation) => {
    const writes = callsOf(conversation, 'Write');
    const wanted = fileIn(conversation.asked) ?? BY_KIND.find(([kind]) => kind.test(conversation.asked))?.[1] ?? 'hello.md';
    const latest = writes.at(-1);
    if (!latest) return write(conversation, wanted, `I will write \`${wanted}\`.`);
    if (succeeded(latest)) return done(wanted, writes.length);
    if (wasDenied(latest) && !/not been read|exist/i.test(latest.result?.text ?? '')) {
      return message(text(`I was not allowed to write \`${wanted}\`, so nothing was changed.\n\n> ${latest.result?.text.slice(0, 300) ?? ''}`));
    }
    if (writes.length < 3) return write(conversation, numbered(wanted, writes.length + 1), 'There already is a file of that name. I leave it alone and take another name.');
    return message(text(`The file could not be written:\n\n${quoted(latest.result?.text ?? '')}`));
  },
};

function write(conversation: Conversation, file: string, announcement: string): Reply {
  return message(text(announcement), toolUse('Write', { file_path: inProject(conversation, file), content: contentFor(file) }));
}

function numbered(file: string, number: number): string {
  const extension = extensionOf(file);
  return extension === '' ? `${file}-${number}` : `${file.slice(0, -extension.length - 1)}-${number}.${extension}`;
}

function done(wanted: string, tries: number): Reply {
  const file = tries === 1 ? wanted : numbered(wanted, tries);
  const command = commandFor(file);
  return message(
    text(
      `\`${file}\` is there now. This is what is in it:\n\n${quoted(contentFor(file), extensionOf(file))}\n\nYou find it in the file tree, and as a new file in the diff. ` +
        (command === null ? offer('edit', 'explain') : `To try it, write “run \`${command}\`”: I will ask for your permission first.`),
    ),
  );
}
