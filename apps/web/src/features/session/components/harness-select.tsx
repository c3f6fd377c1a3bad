import type { HarnessName } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../../components/form/field';
import { harnessesQuery } from '../session.api';
import { HARNESS_NAMES } from '../session-names';

/** What runs the session, of what is installed; where there is no choice, why there is none. */
export function HarnessSelect({ chosen = 'claude-code' }: { chosen?: HarnessName }) {
  const harnesses = useQuery(harnessesQuery).data ?? [];
  const offered = harnesses.filter(({ name, available }) => available || name === chosen);
  const absent = harnesses.filter((harness) => !offered.includes(harness));
  const why = absent.map(({ name, reason }) => `${HARNESS_NAMES[name]}: ${reason ?? 'not available'}`).join(' ');
  if (offered.length < 2) return why === '' ? null : <p className="text-xs text-faint">{why}</p>;
  return (
    <SelectField label="Harness" name="harness" defaultValue={chosen}>
      {offered.map(({ name }) => (
        <option key={name} value={name}>
          {HARNESS_NAMES[name]}
        </option>
      ))}
    </SelectField>
  );
}
