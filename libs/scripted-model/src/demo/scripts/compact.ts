import { message, text } from '../../api/reply';
import type { Script } from '../script';

/** Answers the program's own request to sum up a conversation that became too long. */
export const compact: Script = {
  name: 'compact',
  fits: ({ asked }) =>
    /create a (?:detailed )?summary of (?:the|this) conversation|summary of the (?:recent )?conversation/i.test(asked),
  play: ({ earlier }) => {
    const messages = earlier.map((asked) => `- ${asked.replace(/\s+/g, ' ').slice(0, 200)}`).join('\n') || '- none';
    return message(
      text(
        `<analysis>\nThe conversation was held with the demo model.\n</analysis>\n\n<summary>\n1. Primary Request and Intent: trying out what Chirality can do.\n2. All user messages:\n${messages}\n3. Pending Tasks: none.\n</summary>`,
      ),
    );
  },
};
