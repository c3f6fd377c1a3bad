import { message, text, type Reply } from '../api/reply';
import type { Conversation } from '../conversation/conversation';
import type { Script } from './script';
import { answerAsJson } from './scripts/answer-as-json';
import { askQuestion } from './scripts/ask-question';
import { compact } from './scripts/compact';
import { createFile } from './scripts/create-file';
import { delegate } from './scripts/delegate';
import { editFile } from './scripts/edit-file';
import { explainProject } from './scripts/explain-project';
import { fail } from './scripts/fail';
import { greet } from './scripts/greet';
import { longAnswer } from './scripts/long-answer';
import { makePlan } from './scripts/make-plan';
import { planMode } from './scripts/plan-mode';
import { runCommand } from './scripts/run-command';
import { search } from './scripts/search';
import { showMarkdown } from './scripts/show-markdown';
import { think } from './scripts/think';
import { canUse } from './tool-calls';

/** The first that fits is played: from the most particular wish to the most general. */
const SCRIPTS: readonly Script[] = [
  ...[
    compact,
    answerAsJson,
    planMode,
    fail,
    askQuestion,
    delegate,
    think,
    makePlan,
    runCommand,
    editFile,
    createFile,
    showMarkdown,
    longAnswer,
    search,
    explainProject,
  ],
  greet,
];

function chooseScript(conversation: Conversation): Script {
  return SCRIPTS.find((script) => script.fits(conversation)) ?? greet;
}

/** The next answer of the script that fits; a tool that the session does not have is named instead of called. */
export function playScript(conversation: Conversation): { reply: Reply; label: string } {
  const script = chooseScript(conversation);
  const reply = script.play(conversation);
  const missing =
    reply.kind === 'message'
      ? reply.blocks.find((block) => block.type === 'tool_use' && !canUse(conversation, block.name))
      : undefined;
  if (missing?.type !== 'tool_use') return { reply, label: script.name };
  return {
    reply: message(
      text(
        `For this I would need the tool \`${missing.name}\`, which is switched off in this session. Its options say which tools it has.`,
      ),
    ),
    label: script.name,
  };
}
