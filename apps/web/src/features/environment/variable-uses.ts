import type { VariableUse } from '@chirality/contracts';

export const VARIABLE_USES: readonly VariableUse[] = ['turns', 'setup', 'nobody'];

export const USE_NAMES: Record<VariableUse, string> = {
  turns: 'Turns and set-up script',
  setup: 'Set-up script only',
  nobody: 'Disabled',
};
