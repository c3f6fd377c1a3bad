import type { Session } from '@chirality/contracts';
import { WORKSPACE_HINTS, WORKSPACE_NAMES } from '../../features/session/session-names';
import { InlineSelect } from './inline-select';

type Props = { value: Session['workspace']; onChange: (workspace: Session['workspace']) => void };

/** Whose files the session to start works in. */
export function StartWorkspace({ value, onChange }: Props) {
  return (
    <InlineSelect
      aria-label="Files"
      title={WORKSPACE_HINTS[value]}
      value={value}
      onChange={({ target }) => onChange(target.value as Session['workspace'])}
    >
      {Object.entries(WORKSPACE_NAMES).map(([workspace, name]) => (
        <option key={workspace} value={workspace}>
          {name}
        </option>
      ))}
    </InlineSelect>
  );
}
