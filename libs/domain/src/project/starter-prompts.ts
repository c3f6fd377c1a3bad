interface StarterPrompt {
  label: string;
  message: string;
}

/**
 * First messages offered to a person who has not written any. They work in any project with the real model, and each
 * has a script of the demo model, so that a newcomer without a key sees reading, an edit, a permission request, a
 * question, a task list and a plan.
 */
export const STARTER_PROMPTS: readonly StarterPrompt[] = [
  { label: 'Explain this project', message: 'Explain this project' },
  { label: 'Run the tests', message: 'Run the tests' },
  { label: 'Edit the README', message: 'Edit the README: add a line that says who it is for' },
  { label: 'Make a task list', message: 'Make a task list for the next improvements' },
  { label: 'Ask me a question', message: 'Ask me a question about what to build first' },
];
