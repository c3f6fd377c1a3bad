import { useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { formatElapsed } from '../../../lib/format/duration';
import { useNow } from '../../../lib/use-now';

export function CardTitle({ icon, children, expiresAt }: { icon: ReactNode; children: ReactNode; expiresAt: string | null }) {
  return (
    <header className="flex items-start gap-2.5 px-4 pt-3 pb-2">
      <span aria-hidden="true" className="mt-0.5 text-warn">
        {icon}
      </span>
      <h2 className="min-w-0 flex-1 font-semibold">{children}</h2>
      {expiresAt !== null && <Expiry at={expiresAt} />}
    </header>
  );
}

/** Only the last minutes are worth a clock. */
const SHOWN_MS = 5 * 60_000;

function Expiry({ at }: { at: string }) {
  const leftMs = Date.parse(at) - useNow();
  if (leftMs > SHOWN_MS) return null;
  return <span className="shrink-0 text-sm text-faint tabular-nums">{leftMs > 0 ? `denied in ${formatElapsed(leftMs)}` : 'time is up'}</span>;
}

export function CardFailure({ failure }: { failure: string | null }) {
  return failure === null ? null : (
    <p role="alert" className="px-4 pb-2 text-sm text-bad">
      {failure}
    </p>
  );
}

type DenyProps = { label: string; placeholder: string; submitLabel: string; isBusy: boolean; onDeny: (reason: string | undefined) => void; children: ReactNode };

/** The row of answers; denying asks for a reason, which Claude is told. */
export function AnswerRow({ label, placeholder, submitLabel, isBusy, onDeny, children }: DenyProps) {
  const [isDenying, setDenying] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get('reason')).trim();
    onDeny(reason === '' ? undefined : reason);
  };
  if (isDenying) {
    return (
      <form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && setDenying(false)} className="flex flex-wrap items-center gap-2 px-4 pt-1 pb-3.5">
        <input
          name="reason"
          autoFocus
          maxLength={4000}
          aria-label={placeholder}
          placeholder={placeholder}
          className="h-9 min-w-48 flex-1 rounded-md border border-line-strong bg-surface px-3 focus-visible:border-accent focus-visible:outline-offset-0 pointer-coarse:h-11"
        />
        <Button type="submit" variant="danger" busy={isBusy}>
          {submitLabel}
        </Button>
        <Button variant="quiet" onClick={() => setDenying(false)}>
          Back
        </Button>
      </form>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pt-1 pb-3.5">
      {children}
      <Button variant="quiet" className="ms-auto" disabled={isBusy} onClick={() => setDenying(true)}>
        {label}
      </Button>
    </div>
  );
}
