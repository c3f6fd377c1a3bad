import type { MessageBlock } from '../harness/harness';
import type { Ending } from './turn-ending';

/** The ending, with the names of what may have been refused where the model’s service refused a picture or document. */
export function namingAttachments(ending: Ending, blocks: readonly Pick<MessageBlock, 'name'>[]): Ending {
  if (ending.error?.code !== 'ATTACHMENT_UNSUPPORTED' || blocks.length === 0) return ending;
  const names = blocks.map(({ name }) => `“${name}”`);
  const which = names.length === 1 ? names[0] : `one of ${names.join(', ')}`;
  const detail = `The model’s service could not use ${which}. It is left out of the conversation from now on: send your message again without it, or with another copy.`;
  return { ...ending, error: { ...ending.error, detail } };
}
