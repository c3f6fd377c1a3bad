import { modelName } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../features/model/model.api';
import { modelChoices } from '../../features/model/model-choices';
import { InlineSelect } from './inline-select';

type Props = {
  /** A name that follows the latest version; empty leaves it to persona, project and team. */
  value: string;
  onChange: (model: string) => void;
};

/** The model of the session to start. Fixed versions are left to the options of the session. */
export function StartModel({ value, onChange }: Props) {
  const models = useQuery(modelsQuery).data ?? [];
  const { latest } = modelChoices(models);
  return (
    <InlineSelect aria-label="Model" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">Default model</option>
      {latest.map((choice) => (
        <option key={choice.value} value={choice.value} title={choice.price}>
          {modelName(choice.value)}
        </option>
      ))}
    </InlineSelect>
  );
}
