import { message, text, toolUse } from '../../api/reply';
import type { Conversation } from '../../conversation/conversation';
import { offer, quoted } from '../phrases';
import type { Script } from '../script';
import { callsOf, wasDenied } from '../tool-calls';

/** Looks for a word in all files. */
export const search: Script = {
  name: 'search',
  fits: ({ asked }) =>
    /\b(?:find|search|grep|look for|where (?:is|are|do|does))\b/i.test(asked) && wordIn(asked) !== null,
  play: (conversation) => {
    const word = wordIn(conversation.asked) ?? '';
    const call = callsOf(conversation, 'Grep', 'Bash').at(-1);
    if (!call) return message(text(`I will look for “${word}” in all files.`), searching(conversation, word));
    if (wasDenied(call)) return message(text('I was not allowed to search.'));
    const found = call.result?.isError ? '' : (call.result?.text ?? '').trim();
    const isNothing = found === '' || /^No (?:files|matches) found/i.test(found);
    return message(
      text(
        isNothing
          ? `“${word}” is in none of the files. ${offer('explain')}`
          : `“${word}” is in these places:\n\n${quoted(found)}\n\n${offer('explain', 'edit')}`,
      ),
    );
  },
};

function searching({ tools }: Conversation, word: string): ReturnType<typeof toolUse> {
  if (tools.has('Grep')) return toolUse('Grep', { pattern: word, output_mode: 'content', '-n': true });
  return toolUse('Bash', {
    command: `grep -rnI --exclude-dir=.git --exclude-dir=node_modules -F -- '${word}' . | head -40`,
    description: 'Search all files',
  });
}

/** A word in quotes, else the last plain one; only what needs no care in a shell. */
function wordIn(asked: string): string | null {
  const quotedWord = /[`"“]([\w .:-]{2,60})[`"”]/.exec(asked)?.[1];
  const plain =
    /\b(?:find|search(?:\s+for)?|grep|look\s+for|where\s+(?:is|are|do|does))(?:\s+(?:the|all|every|word|uses\s+of))*\s+([\w.-]{2,60})/i.exec(
      asked,
    )?.[1];
  return quotedWord ?? plain ?? null;
}
