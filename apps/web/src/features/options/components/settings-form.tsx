import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { FailureText } from '../../../components/text/failure-text';
import { Form } from '../../../components/form/form';
import { optionFaults, type OptionFaults } from '../option-faults';

type Props = {
  legend: string;
  mayChange: boolean;
  /** What the button says: a page has several such forms. */
  submit: string;
  /** The member of the request that its fields are. */
  member: 'options' | 'limits';
  onSave: (form: FormData) => Promise<unknown>;
  children: (faults: OptionFaults<unknown>['faults']) => ReactNode;
};
type Saving = { isBusy: boolean; failure: unknown; isSaved: boolean };

function contentsOf(form: FormData): string {
  return JSON.stringify([...form.entries()]);
}

/** Whether a form holds something else than what it began with or what was saved last. */
function useIsChanged() {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef<string>(null);
  const [edits, setEdits] = useState(0);
  const [isChanged, setChanged] = useState(false);
  // After an edit has been drawn: a choice may have brought another field.
  useEffect(() => {
    if (form.current === null) return;
    const contents = contentsOf(new FormData(form.current));
    saved.current ??= contents;
    setChanged(contents !== saved.current);
  }, [edits]);
  const noteEdit = () => setEdits((count) => count + 1);
  const noteSave = (sent: FormData) => {
    saved.current = contentsOf(sent);
    noteEdit();
  };
  return { form, isChanged, noteEdit, noteSave };
}

/** What holds from the next turn on; only to be read by those who may not change it. */
export function SettingsForm({ legend, mayChange, submit, member, onSave, children }: Props) {
  const [saving, setSaving] = useState<Saving>({ isBusy: false, failure: null, isSaved: false });
  const { faults, elsewhere } = optionFaults(saving.failure, member);
  const { form, isChanged, noteEdit, noteSave } = useIsChanged();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving({ isBusy: true, failure: null, isSaved: false });
    const sent = new FormData(event.currentTarget);
    onSave(sent).then(
      () => {
        noteSave(sent);
        setSaving({ isBusy: false, failure: null, isSaved: true });
      },
      (failure: unknown) => setSaving({ isBusy: false, failure, isSaved: false }),
    );
  };
  return (
    <Form
      hasFailed={saving.failure !== null}
      onSubmit={save}
      onChange={() => {
        setSaving({ isBusy: false, failure: null, isSaved: false });
        noteEdit();
      }}
      ref={form}
      className="stack gap-3 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <fieldset disabled={!mayChange}>
        <legend className="sr-only">{legend}</legend>
        {children(faults)}
      </fieldset>
      {elsewhere !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={elsewhere} />
        </Callout>
      )}
      {!mayChange && <p className="text-sm text-muted">Only owners and admins of the team can change this.</p>}
      {mayChange && (
        <div className="flex items-center gap-3">
          <Button type="submit" busy={saving.isBusy} disabled={!isChanged}>
            {submit}
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
