import { blocksOf, type ApiMessage } from '../api/request';

/** What the program itself puts into a person's message. */
const INJECTED =
  /<(system-reminder|local-command-[a-z]+|command-[a-z]+|ide_[a-z_]+|task-notification|user-prompt-submit-hook)>[\s\S]*?<\/\1>/g;
const PASTE_MARKS = /<\/?pasted_content[^>]*>/g;

/** Blocks that the program writes in a person's name. */
const SYNTHETIC = [
  /^Tool loaded\.$/,
  /^\[Image: [^\]]*\]$/,
  /^\[Request interrupted[^\]]*\]$/,
  /^This session is being continued from a previous conversation/,
  /^\[SYSTEM NOTIFICATION/,
  /^\[structured-output-enforce\]/,
];

/**
 * What a person wrote in that message, each of their messages separately: where no answer came between them, the
 * program sends them as blocks of one. Empty for results of tools and for what the program injects.
 */
export function humanTexts(message: ApiMessage): string[] {
  if (message.role !== 'user') return [];
  return blocksOf(message)
    .filter((block) => block.type === 'text')
    .map((block) => (block.text ?? '').replace(INJECTED, '').replace(PASTE_MARKS, '').trim())
    .filter((text) => text !== '' && !SYNTHETIC.some((pattern) => pattern.test(text)));
}
