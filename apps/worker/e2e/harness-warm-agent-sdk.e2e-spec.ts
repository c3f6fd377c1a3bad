import { agentSdk } from './harness-suite/agent-sdk';
import { describeWarmSuite } from './harness-suite/warm-suite';

jest.setTimeout(120_000);

describeWarmSuite(agentSdk);
