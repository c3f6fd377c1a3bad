import { LIMITED_OPTIONS, type LimitedOption } from '@chirality/contracts';
import { fieldErrorsOf } from '../../lib/http/api-error';

/** What is wrong with single fields, and the failure itself unless that says everything. */
export type OptionFaults<Failure> = { faults: Partial<Record<LimitedOption, string>>; elsewhere: Failure | null };

/** Takes a failure to the fields of a request's `member` that caused it. */
export function optionFaults<Failure>(failure: Failure, member: 'options' | 'limits'): OptionFaults<Failure> {
  const errors = fieldErrorsOf(failure);
  const faults: OptionFaults<Failure>['faults'] = {};
  for (const option of LIMITED_OPTIONS) {
    const message = errors[`${member}.${option}`];
    if (message !== undefined) faults[option] = message;
  }
  const isSaid = Object.keys(faults).length > 0 && Object.keys(errors).length === Object.keys(faults).length;
  return { faults, elsewhere: isSaid ? null : failure };
}
