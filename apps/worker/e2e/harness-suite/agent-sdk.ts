import { claudeCode } from './claude-code';
import type { TestedHarness } from './scenario';

/** The same program behind it: what it cannot show there, it cannot show here. */
export const agentSdk: TestedHarness = { name: 'agent-sdk', cannotShow: { ...claudeCode.cannotShow } };
