import type { Session } from '@chirality/contracts';
import { useState } from 'react';
import { SelectField } from '../../../components/form/field';
import { WORKSPACE_HINTS, WORKSPACE_NAMES } from '../session-names';

/** Whose files a new session works in; the form's field is `workspace`. */
export function WorkspaceSelect() {
  const [workspace, setWorkspace] = useState<Session['workspace']>('own');
  return (
    <SelectField
      label="Files"
      name="workspace"
      value={workspace}
      onChange={(event) => setWorkspace(event.target.value as Session['workspace'])}
      hint={WORKSPACE_HINTS[workspace]}
    >
      {Object.entries(WORKSPACE_NAMES).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
