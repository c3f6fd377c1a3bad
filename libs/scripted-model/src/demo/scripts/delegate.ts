import { message, text, toolUse } from '../../api/reply';
import { offer } from '../phrases';
import type { Script } from '../script';
import { callsOf, succeeded } from '../tool-calls';

/** Hands a part of the work to a sub-agent, which is this model again with a separate request. */
export const delegate: Script = {
  name: 'delegate',
  fits: ({ asked, tools }) => /\bsub-?agents?\b|\bdelegate\b/i.test(asked) && (tools.has('Agent') || tools.has('Task')),
  play: (conversation) => {
    const call = callsOf(conversation, 'Agent', 'Task').at(-1);
    if (!call) {
      const name = conversation.tools.has('Agent') ? 'Agent' : 'Task';
      return message(
        text('I hand the looking around to a second agent and wait for its report.'),
        toolUse(name, {
          description: 'Look around in the project',
          prompt: 'Look around and describe what this project is, from its files.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
      );
    }
    if (!succeeded(call))
      return message(text(`The second agent could not finish: ${(call.result?.text ?? 'no report').slice(0, 300)}`));
    return message(
      text(
        `The second agent is back. Its report in short:\n\n${reportOf(call.result?.text ?? '')}\n\nIts own steps are folded under the call above. ${offer('plan', 'edit')}`,
      ),
    );
  },
};

/** The report's own words, without the frame that the program puts around it. */
function reportOf(result: string): string {
  const frame = /^(?:\[Subagent hand-back\]|<|\||agentId|Report|Next you could)/i;
  const lines = result
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !frame.test(line));
  return lines
    .slice(0, 4)
    .map((line) => `> ${line}`)
    .join('\n>\n')
    .slice(0, 800);
}
