import type { Effort, OptionLimits, Options, PermissionMode } from '@chirality/contracts';
import { FORM_OPTIONS } from './option-names';

/** Times are asked for in minutes. */
export const MS_OF_MINUTE = 60_000;

/** The options that were filled in; what was left empty is found further down the chain. */
export function optionsOfForm(form: FormData): Options {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const options: Options = {};
  if (text('model') !== '') options.model = text('model');
  if (text('effort') !== '') options.effort = text('effort') as Effort;
  if (text('permissionMode') !== '') options.permissionMode = text('permissionMode') as PermissionMode;
  if (text('maxTurns') !== '') options.maxTurns = Number(text('maxTurns'));
  if (text('timeoutMs') !== '') options.timeoutMs = Math.round(Number(text('timeoutMs')) * MS_OF_MINUTE);
  if (text('maxBudgetUsd') !== '') options.maxBudgetUsd = text('maxBudgetUsd');
  return options;
}

/** Those of the options that can be limited. */
export function limitsOf({ maxTurns, timeoutMs }: Options): OptionLimits {
  return { ...(maxTurns === undefined ? {} : { maxTurns }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/**
 * Options after a form was filled in that had shown `shown`. What the form does not ask for, and what was left in it as
 * it was, stays as it is now: another person may have changed it meanwhile.
 */
export function changedOptions(options: Options, form: FormData, shown: Options = options): Options {
  const filled = optionsOfForm(form);
  const changed = FORM_OPTIONS.filter((key) => filled[key] !== shown[key]);
  const isChanged = (key: string) => (changed as string[]).includes(key);
  return {
    ...Object.fromEntries(Object.entries(options).filter(([key]) => !isChanged(key))),
    ...Object.fromEntries(Object.entries(filled).filter(([key]) => isChanged(key))),
  };
}
