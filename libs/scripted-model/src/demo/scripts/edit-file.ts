import { message, text, toolUse, type Reply } from '../../api/reply';
import type { Conversation, ToolCall } from '../../conversation/conversation';
import { contentFor } from '../file-contents';
import { baseName, extensionOf, fileIn, offer, quoted } from '../phrases';
import type { Script } from '../script';
import { callsOf, inProject, listedFiles, listFiles, read, readText, succeeded, wasDenied } from '../tool-calls';

const REPLACE = /\b(?:replace|change|rename)\s+[`'"“]([^`'"”]+)[`'"”]\s+(?:with|to|by|into)\s+[`'"“]([^`'"”]+)[`'"”]/i;

/** Reads a file and changes one line of it: what was asked for in quotes, or a line that says who was here. */
export const editFile: Script = {
  name: 'edit-file',
  fits: ({ asked }) => /\b(edit|change|modify|update|replace|append|rename|fix|improve)\b|\badd\b.*\bto\b/i.test(asked),
  play: (conversation) => {
    const target = targetOf(conversation);
    if (target === 'look') return message(text('I will look for a file to edit.'), listFiles(conversation));
    if (target === null) return message(text(`I found no file that I could edit. ${offer('create')}`));
    const reading = callsOf(conversation, 'Read').at(-1);
    if (!reading) return message(text(`I will read \`${target}\` before I change it.`), read(conversation, target));
    const changing = callsOf(conversation, 'Edit', 'Write').at(-1);
    if (!succeeded(reading)) return changing ? outcome(changing, target) : writeInstead(conversation, target, reading);
    return changing ? outcome(changing, target) : change(conversation, target, readText(reading));
  },
};

/** The file that was named; else a README or the first text file, once the files are listed. */
function targetOf(conversation: Conversation): string | null | 'look' {
  const named = fileIn(conversation.asked);
  if (named !== null) return named;
  const files = listedFiles(conversation);
  if (files === null) return conversation.calls.length === 0 ? 'look' : null;
  const wanted = /readme/i.test(conversation.asked) ? files.find((file) => /^readme/i.test(baseName(file))) : undefined;
  return (
    wanted ??
    files.find((file) => /^readme/i.test(baseName(file))) ??
    files.find((file) => /\.(md|txt|py|js|ts|html|css|sh)$/.test(file)) ??
    null
  );
}

function change(conversation: Conversation, target: string, content: string): Reply {
  const wanted = REPLACE.exec(conversation.asked);
  const [from, to] = [wanted?.[1], wanted?.[2]];
  if (from !== undefined && to !== undefined) {
    if (!content.includes(from))
      return message(text(`\`${target}\` does not contain “${from}”, so I changed nothing.`));
    const everywhere = content.split(from).length > 2;
    return message(
      text(`Now I replace “${from}” with “${to}”${everywhere ? ' everywhere' : ''}.`),
      edit(conversation, target, from, to, everywhere),
    );
  }
  if (extensionOf(target) === 'json')
    return message(
      text(
        `A line more would break \`${target}\`. Tell me what to change, such as: replace "hello" with "goodbye" in ${target}.`,
      ),
    );
  const line = content.split('\n').find((one) => one.trim() !== '' && content.split(one).length === 2);
  if (line === undefined)
    return message(text(`\`${target}\` has no line that I could tell from the others, so I changed nothing.`));
  return message(
    text('I add one line after the first.'),
    edit(conversation, target, line, `${line}\n${addedLine(target)}`, false),
  );
}

function edit(
  conversation: Conversation,
  target: string,
  from: string,
  to: string,
  everywhere: boolean,
): ReturnType<typeof toolUse> {
  return toolUse('Edit', {
    file_path: inProject(conversation, target),
    old_string: from,
    new_string: to,
    ...(everywhere ? { replace_all: true } : {}),
  });
}

function writeInstead(conversation: Conversation, target: string, reading: ToolCall): Reply {
  if (wasDenied(reading)) return message(text(`I was not allowed to read \`${target}\`, so I changed nothing.`));
  return message(
    text(`\`${target}\` does not exist yet, so I create it.`),
    toolUse('Write', { file_path: inProject(conversation, target), content: contentFor(target) }),
  );
}

function outcome(changing: ToolCall, target: string): Reply {
  if (succeeded(changing))
    return message(
      text(
        `Done: \`${target}\` is changed. The diff shows the line, and nothing else was touched. ${offer('run', 'plan')}`,
      ),
    );
  if (wasDenied(changing))
    return message(
      text(
        `The change to \`${target}\` was denied, so the file is as it was.\n\n> ${changing.result?.text.slice(0, 300) ?? ''}`,
      ),
    );
  return message(text(`The change did not work, and the file is as it was:\n\n${quoted(changing.result?.text ?? '')}`));
}

function addedLine(file: string): string {
  const note = 'The demo model was here.';
  const extension = extensionOf(file);
  if (['py', 'sh', 'rb', 'yml', 'yaml', 'toml'].includes(extension)) return `# ${note}`;
  if (['js', 'mjs', 'ts', 'tsx', 'jsx', 'go', 'rs', 'c', 'h', 'java', 'cpp'].includes(extension)) return `// ${note}`;
  if (extension === 'css') return `/* ${note} */`;
  if (extension === 'html') return `<!-- ${note} -->`;
  return extension === 'md' ? `\n> ${note}` : note;
}
