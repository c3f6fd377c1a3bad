import type { HarnessOptions, Options } from '@chirality/contracts';

/** The same options by our names. */
export function optionsOf({ systemPromptAppend, ...options }: HarnessOptions): Options {
  return { ...options, ...(systemPromptAppend === undefined ? {} : { appendPrompt: systemPromptAppend }) };
}
