import { useState, type ReactNode } from 'react';
import { Button } from '../ui/button';
import { DialogEnd } from '../form/form-end';
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
    <Dialog open={open} onOpenChange={onOpenChange} title={title}>
      <div className="text-muted">{children}</div>
      <DialogEnd error={failure}>
        <Button variant="quiet" onClick={() => onOpenChange(false)}>
          Cancel
        </Button>
        <Button variant="danger" busy={isBusy} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
