import { agentSdk } from './agent-sdk';
import { claudeCode } from './claude-code';
import type { TestedHarness } from './scenario';

/** Every harness that is put through the scenarios: all that a worker knows, which a test compares. */
export const TESTED_HARNESSES: readonly TestedHarness[] = [claudeCode, agentSdk];
