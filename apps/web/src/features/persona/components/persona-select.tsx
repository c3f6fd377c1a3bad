import type { Persona, PersonaOrigin } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../../components/form/field';
import { personasQuery } from '../persona.api';
import { narrowingText, ORIGIN_NAMES, problemText } from '../persona-names';

const GROUPS: PersonaOrigin[] = ['team', 'built-in', 'project'];

type Props = {
  projectId: string;
  value: string;
  onChange: (key: string) => void;
  autoFocus?: boolean;
  disabled?: boolean;
  label?: string;
};

/** One of the project's personas by its key, or none; what cannot be chosen is there, and says why. */
export function PersonaSelect({ projectId, value, onChange, label = 'Persona', ...rest }: Props) {
  const list = useQuery(personasQuery(projectId)).data;
  const personas = (list?.data ?? []).filter(({ shadowedBy }) => shadowedBy === null);
  const chosen = personas.find(({ key }) => key === value);
  const broken = personas.filter(({ problem }) => problem !== null);
  return (
    <SelectField
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      hint={<Hint chosen={chosen} value={value} broken={broken} notice={list?.notice ?? null} />}
      {...rest}
    >
      <option value="">None</option>
      {chosen === undefined && value !== '' && <option value={value}>{value}</option>}
      {GROUPS.map((origin) => {
        const members = personas.filter((persona) => persona.origin === origin);
        return (
          members.length > 0 && (
            <optgroup key={origin} label={ORIGIN_NAMES[origin]}>
              {members.map((persona) => (
                <option key={persona.key} value={persona.key} disabled={!persona.choosable}>
                  {persona.name}
                  {persona.problem === null ? '' : ' (broken file)'}
                </option>
              ))}
            </optgroup>
          )
        );
      })}
    </SelectField>
  );
}

function Hint({
  chosen,
  value,
  broken,
  notice,
}: {
  chosen: Persona | undefined;
  value: string;
  broken: Persona[];
  notice: string | null;
}) {
  return (
    <>
      {chosen?.description ??
        (value === '' ? 'Claude with no extra instructions.' : 'This persona no longer exists. Choose another one.')}
      {chosen !== undefined && chosen.narrowed.length > 0 && (
        <span className="block text-warn">
          Comes with the project and is not approved. Without effect: {chosen.narrowed.map(narrowingText).join(' · ')}
        </span>
      )}
      {broken.map(
        ({ key, problem }) =>
          problem !== null && (
            <span key={key} className="block wrap-anywhere text-bad">
              {problemText(problem)}
            </span>
          ),
      )}
      {notice !== null && <span className="block text-warn">{notice}</span>}
    </>
  );
}
