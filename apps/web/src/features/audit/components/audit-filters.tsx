import type { Member } from '@chirality/contracts';
import { DayFields, FilterField } from '../../../components/form/filter-fields';
import type { AuditSearch } from '../audit-search';
import { AUDIT_KINDS } from '../audit-words';

type Props = { value: AuditSearch; people: readonly Member[]; onChange: (next: AuditSearch) => void };

export function AuditFilters({ value, people, onChange }: Props) {
  const set = (change: AuditSearch) => onChange({ ...value, ...change });
  return (
    <div className="grid gap-3 pb-5 phone:grid-cols-4">
      <FilterField
        label="Person"
        all="Everyone"
        value={value.person}
        choices={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        unknown="A former member"
        onChoose={(person) => set({ person })}
      />
      <FilterField
        label="Action"
        all="All actions"
        value={value.action}
        choices={AUDIT_KINDS}
        onChoose={(action) => set({ action })}
      />
      <DayFields from={value.from} to={value.to} onChange={set} />
    </div>
  );
}
