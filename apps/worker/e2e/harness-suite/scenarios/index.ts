import type { Scenario } from '../scenario';
import { announcements } from './announcements';
import { answers } from './answers';
import { conversations } from './conversations';
import { interrupts } from './interrupts';
import { limits } from './limits';
import { messages } from './messages';
import { modelFailures } from './model-failures';
import { modes } from './modes';
import { permissions } from './permissions';
import { processes } from './processes';
import { schemas } from './schemas';
import { tools } from './tools';

export const SCENARIOS: readonly Scenario[] = [
  ...answers,
  ...messages,
  ...tools,
  ...permissions,
  ...modes,
  ...limits,
  ...modelFailures,
  ...interrupts,
  ...conversations,
  ...processes,
  ...announcements,
  ...schemas,
];
