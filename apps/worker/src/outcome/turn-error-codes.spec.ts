import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TURN_ERROR_CODES, type TurnErrorCode } from '@chirality/contracts';

const WORKER = join(__dirname, '../..');

/** The test in which a turn ends with the code, or in which it is said and not ended with. */
const SHOWN_IN: Record<TurnErrorCode, string> = {
  NO_RESULT: 'e2e/claude-failures.e2e-spec.ts',
  RESUME_FAILED: 'e2e/turn-run.e2e-spec.ts',
  MAX_TURNS: 'e2e/permission-wait.e2e-spec.ts',
  PERMISSION_DENIED: 'e2e/permission-requests.e2e-spec.ts',
  PERMISSION_EXPIRED: 'e2e/permission-wait.e2e-spec.ts',
  START_TIMEOUT: 'e2e/claude-failures.e2e-spec.ts',
  SILENCE_TIMEOUT: 'e2e/claude-failures.e2e-spec.ts',
  TURN_TIMEOUT: 'e2e/permission-wait.e2e-spec.ts',
  WORKER_LOST: 'e2e/worker-death.e2e-spec.ts',
  LINE_TOO_LONG: 'e2e/claude-output.e2e-spec.ts',
  // Whether the kernel or the watch ends a greedy tool depends on the machine, so this is shown in small.
  OUT_OF_MEMORY: 'src/outcome/turn-ending.spec.ts',
  RESOURCE_LIMIT: 'src/outcome/turn-ending.spec.ts',
  DISK_FULL: 'e2e/disk-full.e2e-spec.ts',
  MODEL_AUTH_FAILED: 'e2e/model-service-failures.e2e-spec.ts',
  MODEL_RATE_LIMITED: 'e2e/model-service-failures.e2e-spec.ts',
  MODEL_OVERLOADED: 'e2e/model-service-failures.e2e-spec.ts',
  MODEL_UNREACHABLE: 'e2e/model-service-failures.e2e-spec.ts',
  MODEL_REFUSED: 'e2e/model-service-failures.e2e-spec.ts',
  ATTACHMENT_UNSUPPORTED: 'e2e/attachments.e2e-spec.ts',
  PROMPT_TOO_LONG: 'e2e/model-service-failures.e2e-spec.ts',
  PROCESS_CRASHED: 'e2e/claude-death.e2e-spec.ts',
  BUDGET_EXCEEDED: 'e2e/budgets.e2e-spec.ts',
  SANDBOX_UNAVAILABLE: 'e2e/sandbox-loss.e2e-spec.ts',
  WORKSPACE_UNAVAILABLE: 'src/outcome/turn-failure.spec.ts',
  HARNESS_FAILURE: 'src/outcome/turn-failure.spec.ts',
  SETUP_FAILED: 'e2e/project-setup.e2e-spec.ts',
  POLICY_BYPASSED: 'e2e/disobedient-program.e2e-spec.ts',
  START_REFUSED: 'src/outcome/turn-ending.spec.ts',
  SCHEMA_NOT_FOLLOWED: 'e2e/harness-suite/scenarios/schemas.ts',
  INTERRUPTED: 'e2e/worker-death.e2e-spec.ts',
};

describe('the codes that a turn can end with', () => {
  it.each(TURN_ERROR_CODES)('%s is shown by a test', (code) => {
    expect(readFileSync(join(WORKER, SHOWN_IN[code]), 'utf8')).toContain(code);
  });
});
