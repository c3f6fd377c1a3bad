import { MAX_VARIABLE_CHARACTERS, type VariableUse } from '@chirality/contracts';
import { whyNoVariableName } from '@chirality/domain';
import { useState, type FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { SelectField, TextArea, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { usePutVariable } from '../environment.api';
import { USE_NAMES, VARIABLE_USES } from '../variable-uses';

type FormProps = { projectId: string; name: string | null; onDone: () => void };

function VariableForm({ projectId, name, onDone }: FormProps) {
  const [use, setUse] = useState<VariableUse>('turns');
  const [fault, setFault] = useState<string | null>(null);
  const put = usePutVariable(projectId);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = name ?? String(form.get('name')).trim();
    const why = whyNoVariableName(chosen);
    setFault(why === null ? null : `The name ${why}.`);
    if (why === null)
      put.mutate(
        { name: chosen, value: String(form.get('value')), ...(name === null ? { givenTo: use } : {}) },
        { onSuccess: onDone },
      );
  };
  return (
    <Form hasFailed={fault !== null || put.isError} className="stack gap-4" onSubmit={submit}>
      {name === null && (
        <TextField
          label="Name"
          name="name"
          required
          autoFocus
          maxLength={64}
          className="font-mono"
          placeholder="NPM_TOKEN"
          autoComplete="off"
          spellCheck={false}
          error={fault}
        />
      )}
      <TextArea
        label="Value"
        name="value"
        required
        maxLength={MAX_VARIABLE_CHARACTERS}
        rows={2}
        className="font-mono text-sm"
        autoComplete="off"
        spellCheck={false}
        autoFocus={name !== null}
        hint="It can’t be viewed again. A value of 8 characters or more is hidden wherever a session would show it; a shorter one is not."
      />
      {name === null && (
        <SelectField
          label="Available to"
          value={use}
          onChange={(event) => setUse(event.target.value as VariableUse)}
          hint="Claude and every program it runs can read what turns get."
        >
          {VARIABLE_USES.map((value) => (
            <option key={value} value={value}>
              {USE_NAMES[value]}
            </option>
          ))}
        </SelectField>
      )}
      <FormEnd submit="Save" outcome={put} onCancel={onDone} />
    </Form>
  );
}

/** Asks for a new variable, or with `name` for another value of one that is there. */
export function VariableDialog({
  projectId,
  name,
  open,
  onOpenChange,
}: {
  projectId: string;
  name: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={name === null ? 'New variable' : `New value of ${name}`}>
      <VariableForm projectId={projectId} name={name} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
