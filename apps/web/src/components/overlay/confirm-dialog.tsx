import { useState, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { FailureText } from '../text/failure-text';
import { Dialog } from './dialog';

type Props = {
  title: string;
  confirmLabel: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onConfirm: () => Promise<unknown>;
  children: ReactNode;
};

/** Asks before something that is not easily undone. Stays open, with the reason, when it could not be done. */
export function ConfirmDialog({ title, confirmLabel, open, onOpenChange, onConfirm, children }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      footer={
        <>
          <Button variant="quiet" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant="danger" busy={isBusy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-muted">{children}</div>
      {failure !== null && (
        <Callout tone="bad" role="alert" className="mt-3">
          <FailureText error={failure} />
        </Callout>
      )}
    </Dialog>
  );
}
