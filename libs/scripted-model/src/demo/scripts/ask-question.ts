import { message, text, toolUse } from '../../api/reply';
import { offer } from '../phrases';
import type { Script } from '../script';
import { callsOf, canUse, succeeded } from '../tool-calls';

/** Asks the people who are present, and continues with their answer. */
export const askQuestion: Script = {
  name: 'ask-question',
  fits: ({ asked }) => /\bask (?:me|us|something)\b|\bquestion\b|\binterview\b/i.test(asked),
  play: (conversation) => {
    const asked = callsOf(conversation, 'AskUserQuestion').at(-1);
    if (!asked) {
      if (!canUse(conversation, 'AskUserQuestion'))
        return message(
          text(
            'In this session no one can be asked, so I would have to decide myself. What shall it be: a script, a page or a note?',
          ),
        );
      return message(
        text('I have one question before I begin.'),
        toolUse('AskUserQuestion', { questions: [QUESTION] }),
      );
    }
    const answer = asked.result?.text ?? '';
    if (!succeeded(asked) || /did not answer/i.test(answer))
      return message(text(`I got no answer, so I leave it at that. ${offer('create', 'explain')}`));
    const chosen = QUESTION.options.find((option) => answer.includes(option.label));
    return message(
      text(
        `${chosen ? `**${chosen.label}** it is.` : `Your answer: ${answer.replace(/\s+/g, ' ').slice(0, 300)}`} A real model would continue from here with what you chose. ${offer('create', 'plan')}`,
      ),
    );
  },
};

const QUESTION = {
  question: 'What should be built first?',
  header: 'First step',
  multiSelect: false,
  options: [
    { label: 'A small script', description: 'One file that can be run at once' },
    { label: 'A web page', description: 'Something to look at in the browser' },
    { label: 'A note', description: 'Only words, in markdown' },
  ],
};
