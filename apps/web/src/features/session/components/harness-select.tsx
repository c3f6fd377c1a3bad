import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../../components/form/field';
import { harnessesQuery } from '../session.api';
import { HARNESS_NAMES } from '../session-names';

/** What runs the session, of what is installed; nothing where there is no choice. */
export function HarnessSelect() {
  const available = (useQuery(harnessesQuery).data ?? []).filter((harness) => harness.available);
  if (available.length < 2) return null;
  return (
    <SelectField label="Harness" name="harness" defaultValue="claude-code">
      {available.map(({ name }) => (
        <option key={name} value={name}>
          {HARNESS_NAMES[name]}
        </option>
      ))}
    </SelectField>
  );
}
