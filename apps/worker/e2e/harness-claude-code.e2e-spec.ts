import { claudeCode } from './harness-suite/claude-code';
import { describeColdSuite } from './harness-suite/cold-suite';

jest.setTimeout(120_000);

describeColdSuite(claudeCode);
