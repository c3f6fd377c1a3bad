import type { Member, Model, Project } from '@chirality/contracts';
import { SelectField, TextField } from '../../../components/form/field';
import type { SearchAddress } from '../search-address';

type Props = {
  value: SearchAddress;
  projects: readonly Project[];
  people: readonly Member[];
  personas: readonly { key: string; name: string }[];
  models: readonly Model[];
  onChange: (next: SearchAddress) => void;
};

type Choice = { value: string; label: string };

const STATUSES: Choice[] = [
  { value: 'any', label: 'All, also archived' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting for an answer' },
  { value: 'idle', label: 'Idle' },
  { value: 'archived', label: 'Archived' },
];

type FilterProps = {
  label: string;
  all: string;
  value: string | undefined;
  choices: readonly Choice[];
  onChoose: (value: string | undefined) => void;
};

function Filter({ label, all, value, choices, onChoose }: FilterProps) {
  return (
    <SelectField label={label} value={value ?? ''} onChange={(event) => onChoose(event.target.value || undefined)}>
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
      {/* What an address names and this person's lists do not have. */}
      {value !== undefined && !choices.some((choice) => choice.value === value) && (
        <option value={value}>{value}</option>
      )}
    </SelectField>
  );
}

export function SearchFilters({ value, projects, people, personas, models, onChange }: Props) {
  const set = (change: SearchAddress) => onChange({ ...value, ...change });
  return (
    <div className="grid grid-cols-2 gap-3 pb-5 phone:grid-cols-4">
      <Filter
        label="Project"
        all="All projects"
        value={value.project}
        choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(project) => set({ project })}
      />
      <Filter
        label="Person"
        all="Everyone"
        value={value.person}
        choices={people.map(({ userId, name }) => ({ value: userId, label: name }))}
        onChoose={(person) => set({ person })}
      />
      <Filter
        label="Persona"
        all="All personas"
        value={value.persona}
        choices={personas.map(({ key, name }) => ({ value: key, label: name }))}
        onChoose={(persona) => set({ persona })}
      />
      <Filter
        label="Status"
        all="Not archived"
        value={value.status}
        choices={STATUSES}
        onChoose={(status) => set({ status: status as SearchAddress['status'] })}
      />
      <Filter
        label="Model"
        all="All models"
        value={value.model}
        choices={models.map(({ id }) => ({ value: id, label: id }))}
        onChoose={(model) => set({ model })}
      />
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
