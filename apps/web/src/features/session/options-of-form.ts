import type { Options, PermissionMode } from '@chirality/contracts';

/** The options that were filled in; what was left empty is found further down the chain. */
export function optionsOfForm(form: FormData): Options {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const options: Options = {};
  if (text('model') !== '') options.model = text('model');
  if (text('permissionMode') !== '') options.permissionMode = text('permissionMode') as PermissionMode;
  if (text('maxTurns') !== '') options.maxTurns = Number(text('maxTurns'));
  if (text('maxBudgetUsd') !== '') options.maxBudgetUsd = text('maxBudgetUsd');
  return options;
}
