import type { OptionLimits } from '@chirality/contracts';
import type { LimitsInForce } from '@chirality/domain';
import { useState } from 'react';
import { changedOptions, limitsOf, optionsOfForm } from '../options-of-form';
import { LimitedFields } from './limited-fields';
import { SettingsForm } from './settings-form';

type Props = {
  limits: OptionLimits;
  /** What these limits may be at most. */
  outer?: LimitsInForce;
  mayChange: boolean;
  onSave: (limits: OptionLimits) => Promise<unknown>;
};

const LABELS = { maxTurns: 'Max. model turns', timeoutMs: 'Time limit (minutes)' };
const NONE = { maxTurns: 'No limit', timeoutMs: 'No limit' };

/** What no option may go beyond, of whichever level. */
export function TurnLimits({ limits, outer = {}, mayChange, onSave }: Props) {
  // See DefaultOptions: what another admin limits meanwhile stays limited.
  const [shown, setShown] = useState(limits);
  const save = async (form: FormData) => {
    await onSave(limitsOf(changedOptions(limits, form, shown)));
    setShown(limitsOf(optionsOfForm(form)));
  };
  return (
    <SettingsForm legend="Limits" mayChange={mayChange} submit="Save limits" member="limits" onSave={save}>
      {(faults) => (
        <div className="grid content-start items-start gap-3 phone:grid-cols-2">
          <LimitedFields labels={LABELS} values={shown} limits={outer} placeholders={NONE} faults={faults} />
        </div>
      )}
    </SettingsForm>
  );
}
