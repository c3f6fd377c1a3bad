import { DEFAULT_PRICES, isKnownModel, modelName } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { SelectField, TextField } from '../../../components/form/field';
import { modelsQuery } from '../model.api';
import { choiceOf, modelChoices } from '../model-choices';

const OTHER = '\0other';
const UNKNOWN = 'No price is known for this model. An owner of this installation has to add one first.';

/** Whether turns may run a model, as far as the list tells; true while it is not here yet. */
export function useIsKnownModel(): (option: string) => boolean {
  const models = useQuery(modelsQuery).data;
  return (option) =>
    models === undefined || isKnownModel([...DEFAULT_PRICES, ...models.map(({ price }) => price)], option, new Date());
}

type Props = {
  /** What the option holds; empty for none. */
  value: string;
  onChange: (option: string) => void;
  /** What an empty option means. */
  fallback: string;
  /** A model that is not in the list can be named. */
  mayName: boolean;
  name?: string;
  disabled?: boolean;
};

/** One of the models that have a price, or none. */
export function ModelSelect({ value, onChange, fallback, mayName, name, disabled = false }: Props) {
  const models = useQuery(modelsQuery).data;
  const [isOther, setOther] = useState(false);
  const { latest, versions } = modelChoices(models ?? []);
  const isListed = [...latest, ...versions].some((choice) => choice.value === value);
  const price = isOther || models === undefined ? null : (choiceOf(models, value)?.price ?? null);
  const choose = (option: string) => {
    setOther(option === OTHER);
    onChange(option === OTHER ? '' : option);
  };
  return (
    <>
      <SelectField
        label="Model"
        name={isOther ? undefined : name}
        disabled={disabled}
        value={isOther ? OTHER : value}
        onChange={(event) => choose(event.target.value)}
        hint={price === null ? undefined : `${price} per million tokens (USD).`}
      >
        <option value="">{fallback}</option>
        {!isOther && value !== '' && !isListed && <option value={value}>{modelName(value)}</option>}
        {[
          { label: 'Follow the latest', choices: latest },
          { label: 'Fixed version', choices: versions },
        ].map(({ label, choices }) => (
          <optgroup key={label} label={label}>
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {choice.name} · {choice.price}
              </option>
            ))}
          </optgroup>
        ))}
        {mayName && <option value={OTHER}>Other model…</option>}
      </SelectField>
      {isOther && <OtherModel name={name} value={value} onChange={onChange} />}
    </>
  );
}

function OtherModel({
  name,
  value,
  onChange,
}: {
  name: string | undefined;
  value: string;
  onChange: (option: string) => void;
}) {
  const isKnown = useIsKnownModel();
  const field = useRef<HTMLInputElement>(null);
  const isUnknown = value.trim() !== '' && !isKnown(value.trim());
  useEffect(() => field.current?.setCustomValidity(isUnknown ? UNKNOWN : ''), [isUnknown]);
  return (
    <TextField
      ref={field}
      label="Name of the model"
      name={name}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      required
      autoFocus
      maxLength={120}
      spellCheck={false}
      autoCapitalize="off"
      placeholder="claude-sonnet-4-5-20250929"
      error={isUnknown ? UNKNOWN : null}
    />
  );
}
