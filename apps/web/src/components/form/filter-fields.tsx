import { SelectField, TextField } from './field';

export type FilterChoice = { value: string; label: string };

type FilterProps = {
  label: string;
  /** What the choice of no value is called. */
  all: string;
  value: string | undefined;
  choices: readonly FilterChoice[];
  /** How a value is called that an address names and the choices do not have; the value itself without it. */
  unknown?: string;
  onChoose: (value: string | undefined) => void;
};

/** One of several values by which a list is narrowed, or none of them. */
export function FilterField({ label, all, value, choices, unknown, onChoose }: FilterProps) {
  return (
    <SelectField label={label} value={value ?? ''} onChange={(event) => onChoose(event.target.value || undefined)}>
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
      {value !== undefined && !choices.some((choice) => choice.value === value) && (
        <option value={value}>{unknown ?? value}</option>
      )}
    </SelectField>
  );
}

type Days = { from?: string | undefined; to?: string | undefined };

/** The first and the last day of what a list shows, as `YYYY-MM-DD`. */
export function DayFields({ from, to, onChange }: Days & { onChange: (change: Days) => void }) {
  return (
    <>
      <TextField
        label="From"
        type="date"
        value={from ?? ''}
        max={to}
        onChange={(event) => onChange({ from: event.target.value || undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={to ?? ''}
        min={from}
        onChange={(event) => onChange({ to: event.target.value || undefined })}
      />
    </>
  );
}
