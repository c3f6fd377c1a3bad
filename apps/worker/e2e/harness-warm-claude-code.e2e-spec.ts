import { claudeCode } from './harness-suite/claude-code';
import { describeWarmSuite } from './harness-suite/warm-suite';

jest.setTimeout(120_000);

describeWarmSuite(claudeCode);
