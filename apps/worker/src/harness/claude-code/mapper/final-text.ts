import { blockText, type Message } from './message-ledger';

/**
 * The answer of a turn: the text of the last message that has any. A message that was cut off at the model's output
 * limit continues in the next one, so both together are the answer. `begun` names the messages that belong to one
 * result; messages it does not know of count when it names none of ours.
 */
export function finalText(messages: readonly Message[], begun: ReadonlySet<string> = new Set()): string {
  const main = messages.filter((message) => message.parentToolUseId === null);
  const named = main.filter((message) => begun.has(message.id));
  const candidates = named.length > 0 ? named : main;
  let text = '';
  for (const message of [...candidates].reverse()) {
    const own = messageText(message);
    if (text !== '' && message.stopReason !== 'max_tokens') break;
    text = own + text;
  }
  return text;
}

function messageText(message: Message): string {
  return [...message.blocks.values()]
    .filter((block) => block.kind === 'text')
    .sort((a, b) => a.index - b.index)
    .map(blockText)
    .join('');
}
