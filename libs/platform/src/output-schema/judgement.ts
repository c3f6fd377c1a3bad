import type { OutputSchema } from '@chirality/contracts';

/** Is the schema one; or, with an output, is that what the schema says? The answer is one clause, or null. */
export type Judgement = { schema: OutputSchema } | { schema: OutputSchema; output: unknown };
