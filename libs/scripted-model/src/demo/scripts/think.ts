import { message, text, thinking } from '../../api/reply';
import { offer } from '../phrases';
import type { Script } from '../script';

/** Thinks before it answers, so that people see what a block of thinking looks like. */
export const think: Script = {
  name: 'think',
  fits: ({ asked }) => /\b(think|thinking|reason|puzzle|riddle|step by step)\b/i.test(asked),
  play: () =>
    message(
      thinking(
        'A small puzzle shows best what thinking is for. A bat and a ball cost 1.10 together, and the bat costs 1.00 more than the ball. ' +
          'The first answer that comes to mind is 0.10 for the ball. Let me check it: then the bat would cost 1.10, and both together 1.20. That is too much, so the first answer is wrong. ' +
          'Let me write it down instead. If the ball costs x, the bat costs x + 1.00, and both cost 2x + 1.00 = 1.10. So 2x = 0.10 and x = 0.05. ' +
          'Check: 0.05 + 1.05 = 1.10, and the difference is 1.00. Both conditions hold.',
      ),
      text(
        `Here is a puzzle that shows why thinking first helps: *a bat and a ball cost $1.10 together, and the bat costs $1.00 more than the ball. What does the ball cost?*

The answer that comes first, ten cents, is wrong. With *x* for the price of the ball:

1. The bat costs *x + 1.00*.
2. Together that is *2x + 1.00 = 1.10*.
3. So *x = 0.05*: **the ball costs five cents**.

The thinking before this answer is in the folded block above it. ${offer('markdown', 'plan')}`,
      ),
    ),
};
