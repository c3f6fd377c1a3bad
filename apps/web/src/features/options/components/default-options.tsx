import type { Options } from '@chirality/contracts';
import type { LimitsInForce } from '@chirality/domain';
import { useState } from 'react';
import { changedOptions, optionsOfForm } from '../options-of-form';
import { OptionFields } from './option-fields';
import { SettingsForm } from './settings-form';

type Props = {
  options: Options;
  limits: LimitsInForce;
  mayChange: boolean;
  onSave: (options: Options) => Promise<unknown>;
};

/**
 * What sessions start from where neither they nor their persona say otherwise. Options that the form does not show are
 * kept.
 */
export function DefaultOptions({ options, limits, mayChange, onSave }: Props) {
  // As the fields had them at first, or after a save: what others change meanwhile is not shown, and not changed back.
  const [shown, setShown] = useState(options);
  const save = async (form: FormData) => {
    await onSave(changedOptions(options, form, shown));
    setShown(optionsOfForm(form));
  };
  return (
    <SettingsForm legend="Default options" mayChange={mayChange} submit="Save defaults" member="options" onSave={save}>
      {(faults) => <OptionFields options={shown} limits={limits} faults={faults} mayNameModel={mayChange} />}
    </SettingsForm>
  );
}
