import type { Options } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { SelectField, TextField } from '../../../components/ui/field';
import { messageOf } from '../../../lib/http/api-error';
import { optionsOfForm } from '../options-of-form';

/** What the form asks for; everything else is kept as it is. */
const SHOWN = new Set(['model', 'permissionMode', 'maxTurns', 'maxBudgetUsd']);

type Props = { options: Options; mayChange: boolean; onSave: (options: Options) => Promise<unknown> };
type Saving = { isBusy: boolean; failure: string | null; isSaved: boolean };

/** What sessions start from where neither they nor their persona say otherwise. Options that the form does not show are kept. */
export function DefaultOptions({ options, mayChange, onSave }: Props) {
  const [saving, setSaving] = useState<Saving>({ isBusy: false, failure: null, isSaved: false });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const others = Object.fromEntries(Object.entries(options).filter(([key]) => !SHOWN.has(key)));
    setSaving({ isBusy: true, failure: null, isSaved: false });
    onSave({ ...others, ...optionsOfForm(new FormData(event.currentTarget)) }).then(
      () => setSaving({ isBusy: false, failure: null, isSaved: true }),
      (error: unknown) => setSaving({ isBusy: false, failure: messageOf(error), isSaved: false }),
    );
  };
  return (
    <form onSubmit={submit} onChange={() => setSaving({ isBusy: false, failure: null, isSaved: false })} className="stack gap-3 rounded-lg border border-line bg-surface p-4 shadow-card">
      <fieldset disabled={!mayChange} className="grid gap-3 phone:grid-cols-2">
        <legend className="sr-only">Default options</legend>
        <TextField label="Model" name="model" defaultValue={options.model ?? ''} placeholder="Default" maxLength={120} spellCheck={false} autoCapitalize="off" />
        <SelectField label="Permissions" name="permissionMode" defaultValue={options.permissionMode ?? ''}>
          <option value="">Default for this mode</option>
          <option value="default">Ask before changes</option>
          <option value="acceptEdits">Edits without asking</option>
          <option value="plan">Plan first, change nothing</option>
          <option value="dontAsk">Never ask (deny)</option>
        </SelectField>
        <TextField label="Max. model turns" name="maxTurns" type="number" min={1} max={1000} defaultValue={options.maxTurns ?? ''} placeholder="Default" />
        <TextField label="Budget per turn (USD)" name="maxBudgetUsd" inputMode="decimal" pattern="\d+(\.\d{1,10})?" defaultValue={options.maxBudgetUsd ?? ''} placeholder="none" />
      </fieldset>
      {saving.failure !== null && (
        <Callout tone="bad" role="alert">
          {saving.failure}
        </Callout>
      )}
      {mayChange && (
        <div className="flex items-center gap-3">
          <Button type="submit" busy={saving.isBusy}>
            Save
          </Button>
          {saving.isSaved && (
            <span role="status" className="text-sm text-muted">
              Saved. Applies from the next turn.
            </span>
          )}
        </div>
      )}
    </form>
  );
}
