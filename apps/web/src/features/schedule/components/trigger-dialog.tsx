import type { Schedule, ScheduleTrigger } from '@chirality/contracts';
import { DialogEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { CopyButton } from '../../../components/ui/copy-button';
import { useRenewTrigger } from '../schedule.api';

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="stack gap-1.5">
      <span className="text-sm font-medium">{label}</span>
      <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        {/* A long line: keyboards scroll it, too. */}
        <code
          tabIndex={0}
          aria-label={label}
          className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-xs whitespace-nowrap"
        >
          {text}
        </code>
        <CopyButton text={text} label={`Copy: ${label}`} caption="Copy" />
      </div>
    </div>
  );
}

function Made({ trigger }: { trigger: ScheduleTrigger }) {
  return (
    <>
      <Callout tone="good" role="status" title="Secret created">
        Copy it now. It can’t be viewed again.
      </Callout>
      <Copied label="Address" text={trigger.url} />
      <Copied label="Secret" text={trigger.secret} />
    </>
  );
}

/** Starting it from another system. */
export function TriggerDialog({
  projectId,
  schedule,
  open,
  onOpenChange,
}: {
  projectId: string;
  schedule: Schedule;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const renew = useRenewTrigger(projectId);
  const close = (isOpen: boolean) => {
    if (!isOpen) renew.reset();
    onOpenChange(isOpen);
  };
  return (
    <Dialog open={open} onOpenChange={close} title={`Trigger of ${schedule.name}`}>
      <div className="stack gap-4">
        <p className="text-sm text-muted">
          A request that is signed as Standard Webhooks says starts it. What the request carries is shown to Claude
          below the message, as data.
        </p>
        {renew.data !== undefined ? (
          <Made trigger={renew.data} />
        ) : (
          schedule.triggerUrl !== null && (
            <>
              <Copied label="Address" text={schedule.triggerUrl} />
              <p className="text-sm text-muted">
                Its secret was shown once. With a new one, requests that are signed with the earlier one do nothing.
              </p>
            </>
          )
        )}
        <DialogEnd error={renew.error}>
          <Button onClick={() => close(false)}>{renew.data === undefined ? 'Cancel' : 'Done'}</Button>
          {renew.data === undefined && (
            <Button variant="primary" busy={renew.isPending} onClick={() => renew.mutate(schedule.id)}>
              {schedule.triggerUrl === null ? 'Create secret' : 'Create new secret'}
            </Button>
          )}
        </DialogEnd>
      </div>
    </Dialog>
  );
}
