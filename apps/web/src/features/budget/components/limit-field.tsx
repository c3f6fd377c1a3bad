import { TextField } from '../../../components/form/field';

export function LimitField({ initial }: { initial?: string }) {
  return (
    <TextField
      label="Limit (USD)"
      name="limitUsd"
      inputMode="decimal"
      pattern="\d{1,9}(\.\d{1,10})?"
      title="An amount such as 25 or 12.50"
      required
      defaultValue={initial}
      autoComplete="off"
    />
  );
}
