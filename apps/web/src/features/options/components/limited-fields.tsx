import type { LimitedOption, OptionLimits } from '@chirality/contracts';
import { limitSentence, type LimitsInForce } from '@chirality/domain';
import { TextField } from '../../../components/form/field';
import { MS_OF_MINUTE } from '../options-of-form';

const MAX_TURNS = 1_000;
const MAX_MINUTES = 24 * 60;
const MIN_MINUTES = 1_000 / MS_OF_MINUTE;

type Props = {
  labels: Record<LimitedOption, string>;
  /** What is set here. */
  values: OptionLimits;
  /** What the values may be at most, and who says so. */
  limits: LimitsInForce;
  placeholders?: Partial<Record<LimitedOption, string>>;
  faults: Partial<Record<LimitedOption, string>>;
};

/** The two fields of what a team or a project can limit; `optionsOfForm` reads them. */
export function LimitedFields({ labels, values, limits, placeholders, faults }: Props) {
  const said = (option: LimitedOption) => ({
    label: labels[option],
    name: option,
    placeholder: placeholders?.[option],
    error: faults[option],
    ...(limits[option] && { hint: limitSentence(option, limits[option]) }),
  });
  return (
    <>
      <TextField
        {...said('maxTurns')}
        type="number"
        min={1}
        max={limits.maxTurns?.value ?? MAX_TURNS}
        defaultValue={values.maxTurns ?? ''}
      />
      <TextField
        {...said('timeoutMs')}
        type="number"
        step="any"
        min={MIN_MINUTES}
        max={limits.timeoutMs === undefined ? MAX_MINUTES : limits.timeoutMs.value / MS_OF_MINUTE}
        defaultValue={values.timeoutMs === undefined ? '' : values.timeoutMs / MS_OF_MINUTE}
      />
    </>
  );
}
