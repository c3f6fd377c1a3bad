import type { Scenario } from './scenario';
import { ABANDONED } from './abandoned-blocks';
import { BLOCKS } from './blocks';
import { COSTS } from './costs';
import { FAILURE_CODES } from './failure-codes';
import { RESULTS } from './results';
import { SESSIONS } from './sessions';
import { TODOS } from './todos';
import { TOOLS } from './tools';

/** What holds of any stream, row by row. */
export const RULES: Scenario[] = [
  ...FAILURE_CODES,
  ...RESULTS,
  ...BLOCKS,
  ...ABANDONED,
  ...TOOLS,
  ...TODOS,
  ...SESSIONS,
  ...COSTS,
];
