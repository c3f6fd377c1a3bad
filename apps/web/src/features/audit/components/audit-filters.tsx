import type { Member } from '@chirality/contracts';
import { SelectField, TextField } from '../../../components/form/field';
import type { AuditSearch } from '../audit-search';
import { AUDIT_KINDS } from '../audit-words';

type Props = { value: AuditSearch; people: readonly Member[]; onChange: (next: AuditSearch) => void };

export function AuditFilters({ value, people, onChange }: Props) {
  const set = (change: AuditSearch) => onChange({ ...value, ...change });
  return (
    <div className="grid gap-3 pb-5 phone:grid-cols-4">
      <SelectField
        label="Person"
        value={value.person ?? ''}
        onChange={(event) => set({ person: event.target.value || undefined })}
      >
        <option value="">Everyone</option>
        {people.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
        {value.person !== undefined && !people.some(({ userId }) => userId === value.person) && (
          <option value={value.person}>A former member</option>
        )}
      </SelectField>
      <SelectField
        label="Action"
        value={value.action ?? ''}
        onChange={(event) => set({ action: event.target.value || undefined })}
      >
        <option value="">All actions</option>
        {AUDIT_KINDS.map(({ value: kind, label }) => (
          <option key={kind} value={kind}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        label="From"
        type="date"
        value={value.from ?? ''}
        max={value.to}
        onChange={(event) => set({ from: event.target.value || undefined })}
      />
      <TextField
        label="To"
        type="date"
        value={value.to ?? ''}
        min={value.from}
        onChange={(event) => set({ to: event.target.value || undefined })}
      />
    </div>
  );
}
