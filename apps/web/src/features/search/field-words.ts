import type { SearchField } from '@chirality/contracts';

/** Where something was found, as the screen says it. */
export const FIELD_WORDS: Record<SearchField, string> = {
  title: 'Title',
  message: 'Message',
  answer: 'Answer',
  tool_input: 'Tool input',
  tool_output: 'Tool output',
  file: 'File',
};
