import { message, text, toolUse } from '../../api/reply';
import type { Conversation } from '../../conversation/conversation';
import { contentFor } from '../file-contents';
import { offer } from '../phrases';
import type { Script } from '../script';
import { callsOf, inProject, succeeded } from '../tool-calls';

const ACTIVE = 'Plan mode is active';
const EXITED = /exited plan mode|approved exiting plan mode/gi;
const PLAN_FILE = /(\/[^\s`"']*\/plans\/[^\s`"']+\.md)/g;
const FILE = 'plan-demo.md';

/** In plan mode nothing may change: writes a plan, asks for approval, and carries it out only then. */
export const planMode: Script = {
  name: 'plan-mode',
  fits: (conversation) => isPlanning(conversation) || callsOf(conversation, 'ExitPlanMode').length > 0,
  play: (conversation) => {
    const asked = callsOf(conversation, 'ExitPlanMode').at(-1);
    if (!asked) return propose(conversation);
    if (!succeeded(asked)) {
      return message(
        text(
          `The plan was not approved, so nothing was changed.\n\n> ${(asked.result?.text ?? 'no answer').replace(/\s+/g, ' ').slice(0, 300)}\n\nTell me what to plan differently, or leave plan mode.`,
        ),
      );
    }
    const write = callsOf(conversation, 'Write').find((call) => String(call.input['file_path']).endsWith(FILE));
    if (!write)
      return message(
        text('Thank you. Now I carry the plan out.'),
        toolUse('Write', { file_path: inProject(conversation, FILE), content: contentFor(FILE) }),
      );
    return message(
      text(
        succeeded(write)
          ? `The plan is carried out: \`${FILE}\` is there. ${offer('edit', 'run')}`
          : `The plan was approved, but the file could not be written: ${write.result?.text.slice(0, 200) ?? ''}`,
      ),
    );
  },
};

function isPlanning({ instructions }: Conversation): boolean {
  const active = instructions.lastIndexOf(ACTIVE);
  const exited = [...instructions.matchAll(EXITED)].at(-1)?.index ?? -1;
  return active > exited;
}

function propose(conversation: Conversation): ReturnType<typeof message> {
  const file = [...conversation.instructions.matchAll(PLAN_FILE)].at(-1)?.[1];
  const written = callsOf(conversation, 'Write').length > 0;
  if (file !== undefined && !written)
    return message(
      text('While we plan, nothing is changed. I write down what I would do.'),
      toolUse('Write', { file_path: file, content: PLAN }),
    );
  return message(
    text('Here is the plan. Approve it, and I carry it out; reject it, and nothing happens.'),
    toolUse('ExitPlanMode', { plan: PLAN }),
  );
}

const PLAN = `# Plan

## Context
The demo shows how plan mode works: first a plan that you can read, then your decision, then the work.

## Steps
1. Write \`${FILE}\` with a few lines about itself.
2. Change nothing else.

## How to check
The diff shows one new file.
`;
