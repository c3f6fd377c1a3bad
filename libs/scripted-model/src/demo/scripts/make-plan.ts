import { message, text, toolUse, type Reply, type ToolUseBlock } from '../../api/reply';
import type { Conversation } from '../../conversation/conversation';
import { offer } from '../phrases';
import type { Script } from '../script';
import { callsOf, canUse, listedFiles, listFiles, succeeded } from '../tool-calls';

const TASKS = [
  {
    subject: 'Look at what is there',
    activeForm: 'Looking at what is there',
    description: 'List the files of the project',
  },
  {
    subject: 'Choose what to do first',
    activeForm: 'Choosing what to do first',
    description: 'Decide on the smallest useful step',
  },
  {
    subject: 'Write down the next steps',
    activeForm: 'Writing down the next steps',
    description: 'Sum up for those who read along',
  },
];

/** Makes a task list and works it off, one step an answer, so that people see it change. */
export const makePlan: Script = {
  name: 'make-plan',
  fits: ({ asked }) => /\b(to-?do|tasks?|task list|check ?list|plan|steps to)\b/i.test(asked),
  play: (conversation) => {
    if (!canUse(conversation, 'TaskCreate'))
      return canUse(conversation, 'TodoWrite') ? withTodoWrite(conversation) : message(text(inWords()));
    const created = callsOf(conversation, 'TaskCreate');
    if (created.length === 0)
      return message(
        text('I will make a list first, so that you can follow.'),
        ...TASKS.map((task) => toolUse('TaskCreate', { ...task })),
      );
    const ids = created.flatMap(
      (call) => /#(\S+?)(?=\s|:|$)/.exec(succeeded(call) ? (call.result?.text ?? '') : '')?.[1] ?? [],
    );
    if (ids.length < TASKS.length)
      return message(text(`The task list could not be kept, so here it is in words.\n\n${inWords()}`));
    return workOff(conversation, ids);
  },
};

function workOff(conversation: Conversation, [first = '', second = '', third = '']: string[]): Reply {
  const step = conversation.step;
  if (step === 1)
    return message(text('The first step is under way.'), update(first, 'in_progress'), listFiles(conversation));
  if (step === 2) {
    const count = listedFiles(conversation)?.length;
    const found =
      count === undefined
        ? 'I could not list the files, so I continue without.'
        : count === 0
          ? 'There are no files yet.'
          : `There ${count === 1 ? 'is one file' : `are ${count} files`}.`;
    return message(text(found), update(first, 'completed'), update(second, 'in_progress'));
  }
  if (step === 3)
    return message(
      text('The smallest useful step is the one that people can see at once.'),
      update(second, 'completed'),
      update(third, 'in_progress'),
    );
  if (step === 4) return message(text('Now the last one.'), update(third, 'completed'));
  return message(
    text(
      `All three tasks are done.\n\n1. **Start small:** one file, one change, one look at the diff.\n2. **Then run it:** a command asks for permission, and you decide for once or for the session.\n3. **Then share it:** everyone in the project sees the same conversation.\n\n${offer('create', 'run')}`,
    ),
  );
}

function update(taskId: string, status: 'in_progress' | 'completed'): ToolUseBlock {
  return toolUse('TaskUpdate', { taskId, status });
}

function withTodoWrite({ step }: Conversation): Reply {
  if (step > TASKS.length) return message(text(`All tasks are done. ${offer('create', 'run')}`));
  const todos = TASKS.map(({ subject, activeForm }, index) => ({
    content: subject,
    activeForm,
    status: index < step ? 'completed' : index === step ? 'in_progress' : 'pending',
  }));
  return message(
    text(step === 0 ? 'I will make a list first, so that you can follow.' : 'One more is done.'),
    toolUse('TodoWrite', { todos }),
  );
}

function inWords(): string {
  return `${TASKS.map((task) => `- [ ] **${task.subject}.** ${task.description}.`).join('\n')}\n\n${offer('create', 'run')}`;
}
