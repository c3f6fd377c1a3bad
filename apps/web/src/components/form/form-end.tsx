import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { FailureText } from '../text/failure-text';

/** The end of every form in a dialog: what went wrong the last time, the way out, and the act. */
export function FormEnd({
  submit,
  outcome,
  onCancel,
}: {
  submit: ReactNode;
  outcome: { error: Error | null; isPending: boolean };
  onCancel: () => void;
}) {
  return (
    <>
      {outcome.error && (
        <Callout tone="bad" role="alert">
          <FailureText error={outcome.error} />
        </Callout>
      )}
      <div className="flex justify-end gap-2 pt-1 pb-2">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={outcome.isPending}>
          {submit}
        </Button>
      </div>
    </>
  );
}
