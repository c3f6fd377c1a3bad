import { createContext, useContext, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { FailureText } from '../text/failure-text';
import { FormId } from './form';

/** Where a dialog has its buttons, below what scrolls: null until that is on the page, undefined outside a dialog. */
export const DialogEndPlace = createContext<HTMLElement | null | undefined>(undefined);

/** What went wrong and the buttons, which stay in sight however long the dialog is. */
export function DialogEnd({ error = null, children }: { error?: unknown; children: ReactNode }) {
  const place = useContext(DialogEndPlace);
  const end = (
    <>
      {error !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={error} />
        </Callout>
      )}
      <div className="flex flex-wrap justify-end gap-2">{children}</div>
    </>
  );
  if (place === undefined) return end;
  return place === null ? null : createPortal(end, place);
}

/** The end of every form in a dialog: what went wrong the last time, the way out, and the act. */
export function FormEnd({
  submit,
  outcome,
  onCancel,
}: {
  submit: ReactNode;
  outcome: { error: unknown; isPending: boolean };
  onCancel: () => void;
}) {
  // The button stands outside the form's element.
  const form = useContext(FormId);
  return (
    <DialogEnd error={outcome.error}>
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" form={form} variant="primary" busy={outcome.isPending}>
        {submit}
      </Button>
    </DialogEnd>
  );
}
