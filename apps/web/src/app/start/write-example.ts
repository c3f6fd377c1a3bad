import { STARTER_PROMPTS } from '@chirality/domain';
import type { Draft } from '../../lib/message/draft';

/** Fills the message field with an example. It takes the place of another example, never of what a person wrote. */
export function writeExample(draft: Draft, message: string): void {
  if (STARTER_PROMPTS.some((example) => example.message === draft.text.get())) draft.write(message);
  else draft.giveBack(message);
}
