import { message, text } from '../../api/reply';
import type { Script } from '../script';

/** A message that only says hello, in a few languages. */
const GREETING =
  /^\s*(?:hi|hello|hey|hallo|hola|bonjour|good (?:morning|afternoon|evening))(?:[\s,]+(?:there|claude|again|you|all))*[\s!.,:)]*$/i;

/** Says what this is and what to try; also the answer to whatever no other script understands. */
export const greet: Script = {
  name: 'greet',
  fits: () => true,
  play: ({ asked, earlier }) => {
    const opening =
      earlier.length === 0
        ? 'Hello! I am the **demo model** of Chirality.'
        : GREETING.test(asked)
          ? 'Hello again! I am still the **demo model**.'
          : `You wrote: “${asked.replace(/\s+/g, ' ').slice(0, 120)}”. I am only the **demo model**, and no script of mine fits that.`;
    return message(
      text(
        `${opening} There is no language model behind me: I follow small scripts, so that you can see everything work before you add an API key. The tools, the files and the permissions are real.

Try one of these:

| Write | and you will see |
|---|---|
| explain this project | files being read, then a summary |
| create a file called hello.py | a new file, and its diff |
| edit the README | an edit, line by line |
| run \`date > now.txt && cat now.txt\` | a command that asks for your permission |
| run the tests | a choice made from what is in the project |
| make a task list | a list that is worked off |
| ask me a question | a question with answers to choose from |
| think step by step | thinking before the answer |
| use a sub-agent | work handed to a second agent |
| show me markdown | tables, code and lists |
| count to 100 | a long answer, to try *Stop* |
| run a command that fails · fail | how errors look |

An owner of the team can add a key under *Settings → Keys*; the real model then answers in the same place.`,
      ),
    );
  },
};
