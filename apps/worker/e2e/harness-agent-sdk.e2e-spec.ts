import { agentSdk } from './harness-suite/agent-sdk';
import { describeColdSuite } from './harness-suite/cold-suite';

jest.setTimeout(120_000);

describeColdSuite(agentSdk);
