import type { Options } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Form } from '../../../components/ui/form';
import { changedOptions, optionsOfForm } from '../options-of-form';
import { OptionFields } from './option-fields';
import { FailureText } from '../../../components/ui/failure-text';

type Props = { options: Options; mayChange: boolean; onSave: (options: Options) => Promise<unknown> };
type Saving = { isBusy: boolean; failure: unknown; isSaved: boolean };

/** What sessions start from where neither they nor their persona say otherwise. Options that the form does not show are kept. */
export function DefaultOptions({ options, mayChange, onSave }: Props) {
  const [saving, setSaving] = useState<Saving>({ isBusy: false, failure: null, isSaved: false });
  // As the fields had them at first, or after a save: what others change meanwhile is not shown, and not changed back.
  const [shown, setShown] = useState(options);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving({ isBusy: true, failure: null, isSaved: false });
    const changed = changedOptions(options, new FormData(event.currentTarget), shown);
    const filled = optionsOfForm(new FormData(event.currentTarget));
    onSave(changed).then(
      () => {
        setShown(filled);
        setSaving({ isBusy: false, failure: null, isSaved: true });
      },
      (failure: unknown) => setSaving({ isBusy: false, failure, isSaved: false }),
    );
  };
  return (
    <Form
      hasFailed={saving.failure !== null}
      onSubmit={submit}
      onChange={() => setSaving({ isBusy: false, failure: null, isSaved: false })}
      className="stack gap-3 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <fieldset disabled={!mayChange}>
        <legend className="sr-only">Default options</legend>
        <OptionFields options={shown} mayNameModel={mayChange} />
      </fieldset>
      {saving.failure !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={saving.failure} />
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
    </Form>
  );
}
