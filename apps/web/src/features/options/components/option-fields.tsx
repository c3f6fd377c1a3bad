import { EFFORTS, type Options, type ResolvedOptions } from '@chirality/contracts';
import type { LimitsInForce } from '@chirality/domain';
import { useState } from 'react';
import { SelectField, TextField } from '../../../components/form/field';
import { ModelSelect } from '../../model/components/model-select';
import type { OptionFaults } from '../option-faults';
import { EFFORT_NAMES, optionText, ORIGIN_NAMES, PERMISSION_MODE_NAMES } from '../option-names';
import { LimitedFields } from './limited-fields';

type Shown = 'model' | 'effort' | 'permissionMode' | 'maxTurns' | 'timeoutMs' | 'maxBudgetUsd';
type Props = {
  /** What is set here. */
  options: Options;
  /** What holds, with where it comes from, for what is not set here. */
  resolved?: ResolvedOptions | undefined;
  /** What the project and the team allow at most. */
  limits: LimitsInForce;
  /** What the server found wrong the last time. */
  faults: OptionFaults<unknown>['faults'];
  /** A model that is not in the list can be named. */
  mayNameModel: boolean;
};

/** The fields of every form that sets options; `optionsOfForm` reads them. */
export function OptionFields({ options, resolved, limits, faults, mayNameModel }: Props) {
  const [model, setModel] = useState(options.model ?? '');
  const fallback = (key: Shown, none = 'Default') => {
    const inherited = resolved?.[key];
    return inherited === undefined || options[key] !== undefined
      ? none
      : `${none}: ${optionText(key, inherited.value)} (${ORIGIN_NAMES[inherited.from]})`;
  };
  return (
    <div className="grid content-start items-start gap-3 phone:grid-cols-2">
      <div className="stack gap-3 phone:col-span-2">
        <ModelSelect
          name="model"
          value={model}
          onChange={setModel}
          fallback={fallback('model')}
          mayName={mayNameModel}
        />
      </div>
      <SelectField
        label="Effort"
        name="effort"
        defaultValue={options.effort ?? ''}
        hint="How much Claude thinks. Not every model has levels."
      >
        <option value="">{fallback('effort')}</option>
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {EFFORT_NAMES[effort]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Permissions" name="permissionMode" defaultValue={options.permissionMode ?? ''}>
        <option value="">{fallback('permissionMode', 'Default for this mode')}</option>
        {Object.entries(PERMISSION_MODE_NAMES).map(([mode, name]) => (
          <option key={mode} value={mode}>
            {name}
          </option>
        ))}
      </SelectField>
      <LimitedFields
        labels={{ maxTurns: 'Max. model turns', timeoutMs: 'Time limit (minutes)' }}
        values={options}
        limits={limits}
        placeholders={{ maxTurns: fallback('maxTurns'), timeoutMs: fallback('timeoutMs') }}
        faults={faults}
      />
      <TextField
        label="Budget per turn (USD)"
        name="maxBudgetUsd"
        inputMode="decimal"
        pattern="\d{1,9}(\.\d{1,10})?"
        title="An amount such as 5 or 2.50"
        defaultValue={options.maxBudgetUsd ?? ''}
        placeholder={fallback('maxBudgetUsd', 'None')}
      />
    </div>
  );
}
