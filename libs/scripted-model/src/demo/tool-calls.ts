import { toolUse, type ToolUseBlock } from '../api/reply';
import type { Conversation, ToolCall } from '../conversation/conversation';

/** Whether the model may call a tool: it is in the request, or the program says that it loads it when needed. */
export function canUse({ tools, instructions }: Conversation, name: string): boolean {
  return tools.has(name) || instructions.includes(`\n${name}\n`);
}

export function callsOf({ calls }: Conversation, ...names: string[]): ToolCall[] {
  return calls.filter((call) => names.includes(call.name));
}

export function succeeded(call: ToolCall | undefined): boolean {
  return call?.result?.isError === false;
}

/** A person or a rule said no, which is something else than a tool that failed. */
export function wasDenied(call: ToolCall | undefined): boolean {
  return (
    call?.result?.isError === true &&
    /\bden(?:y|ied)\b|declin|refus|permission|not allowed|doesn['’]t want|switched off|never waits/i.test(
      call.result.text,
    )
  );
}

/** A tool takes absolute paths. */
export function inProject({ workingDirectory }: Conversation, file: string): string {
  return workingDirectory === null || file.startsWith('/') ? file : `${workingDirectory.replace(/\/$/, '')}/${file}`;
}

export function read(conversation: Conversation, file: string): ToolUseBlock {
  return toolUse('Read', { file_path: inProject(conversation, file) });
}

const FIND_FILES = 'find . -type f -not -path "*/.git/*" -not -path "*/node_modules/*"';
const MAX_FILES = 300;

/** A call that lists the project's files, by whichever tool there is. */
export function listFiles(conversation: Conversation): ToolUseBlock {
  return conversation.tools.has('Glob') && !conversation.tools.has('Bash')
    ? toolUse('Glob', { pattern: '**/*' })
    : toolUse('Bash', { command: FIND_FILES, description: 'List the files of the project' });
}

/** The files that a listing found, relative to the project; null when there was no listing or it failed. */
export function listedFiles(conversation: Conversation): string[] | null {
  const listing = conversation.calls.find(
    (call) => call.name === 'Glob' || (call.name === 'Bash' && call.input['command'] === FIND_FILES),
  );
  if (!listing?.result || listing.result.isError) return null;
  const root = `${conversation.workingDirectory ?? ''}/`;
  return listing.result.text
    .split('\n')
    .map((line) => line.trim().replace(/^\.\//, ''))
    .map((line) => (line.startsWith(root) ? line.slice(root.length) : line))
    .filter((line) => /^[^\s<(]+$/.test(line) && !line.startsWith('.git/'))
    .slice(0, MAX_FILES);
}

/** What a Read showed, without the numbers before its lines. */
export function readText(call: ToolCall | undefined): string {
  if (!call?.result || call.result.isError) return '';
  return call.result.text
    .replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\d+[\t→]/, ''))
    .join('\n');
}
