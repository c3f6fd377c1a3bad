import type { Member, Model, Project } from '@chirality/contracts';
import { DayFields, FilterField, type FilterChoice } from '../../../components/form/filter-fields';
import type { SearchAddress } from '../search-address';

type Props = {
  value: SearchAddress;
  projects: readonly Project[];
  people: readonly Member[];
  personas: readonly { key: string; name: string }[];
  models: readonly Model[];
  onChange: (next: SearchAddress) => void;
};

const STATUSES: FilterChoice[] = [
  { value: 'any', label: 'All, also archived' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting for an answer' },
  { value: 'idle', label: 'Idle' },
  { value: 'archived', label: 'Archived' },
];

export function SearchFilters({ value, projects, people, personas, models, onChange }: Props) {
  const set = (change: SearchAddress) => onChange({ ...value, ...change });
  return (
    <div className="grid grid-cols-2 gap-3 pb-5 phone:grid-cols-4">
      <FilterField
        label="Project"
        all="All projects"
        value={value.project}
        choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(project) => set({ project })}
      />
      <FilterField
        label="Person"
        all="Everyone"
        value={value.person}
        choices={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        onChoose={(person) => set({ person })}
      />
      <FilterField
        label="Persona"
        all="All personas"
        value={value.persona}
        choices={personas.map(({ key, name }) => ({ value: key, label: name }))}
        onChoose={(persona) => set({ persona })}
      />
      <FilterField
        label="Status"
        all="Not archived"
        value={value.status}
        choices={STATUSES}
        onChoose={(status) => set({ status: status as SearchAddress['status'] })}
      />
      <FilterField
        label="Model"
        all="All models"
        value={value.model}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
        onChoose={(model) => set({ model })}
      />
      <DayFields from={value.from} to={value.to} onChange={set} />
    </div>
  );
}
