import { createContext, useContext, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { Button, type ButtonProps } from '../../../components/ui/button';
import { Keycap } from '../../../components/ui/keycap';
import { formatElapsed } from '../../../lib/format/duration';
import { isSendKey } from '../../../lib/keyboard/send-key';
import { useNow } from '../../../lib/state/use-now';
import type { Answering } from './use-answer';
import type { Guarded } from './use-press-guard';

/** What every answer on a card goes through. */
export const CardGuard = createContext<Guarded>({ isAnswerable: true, wasStopped: false, guard: (act) => act() });

/** What is asked: it scrolls where there is not enough room for it and for the answers below it. */
export function CardBody({ children }: { children: ReactNode }) {
  return <div className="scroll-edges min-h-16 shrink-[1000] overflow-y-auto">{children}</div>;
}

/** The answers, in sight however small the page is, and what keeps them from counting. */
export function CardEnd({ children }: { children: ReactNode }) {
  return <div className="min-h-0 shrink overflow-y-auto border-t border-line pt-2 empty:hidden">{children}</div>;
}

/** `outcome`: what happens to the request when its time is up. */
export function CardTitle({
  icon,
  children,
  expiresAt,
  outcome = 'denied',
}: {
  icon: ReactNode;
  children: ReactNode;
  expiresAt: string | null;
  outcome?: string;
}) {
  return (
    <header className="flex items-start gap-2.5 px-4 pt-3 pb-2 short:py-1.5">
      <span aria-hidden="true" className="mt-0.5 text-warn">
        {icon}
      </span>
      <h2 className="min-w-0 flex-1 font-semibold wrap-anywhere">{children}</h2>
      {expiresAt !== null && <Expiry at={expiresAt} outcome={outcome} />}
    </header>
  );
}

function Expiry({ at, outcome }: { at: string; outcome: string }) {
  const leftMs = Date.parse(at) - useNow();
  return (
    <span className="shrink-0 text-sm text-faint tabular-nums">
      {leftMs > 0 ? `${outcome} in ${formatElapsed(leftMs)}` : 'time is up'}
    </span>
  );
}

export function CardFailure({ failure }: { failure: string | null }) {
  return failure === null ? null : (
    <p role="alert" className="px-4 pb-2 text-sm text-bad">
      {failure}
    </p>
  );
}

/** Why the answers that allow something are off. */
export function CardBlock({ reason }: { reason: string | null }) {
  return reason === null ? null : (
    <p role="status" className="px-4 pb-1 text-sm text-warn">
      {reason}
    </p>
  );
}

/** A button that answers: off for a card's first moment, and deaf to presses that were meant for another card. */
export function AnswerButton({
  keyName,
  onClick,
  children,
  ...rest
}: Omit<ButtonProps, 'onClick'> & { keyName?: string; onClick: () => void }) {
  const { isAnswerable, guard } = useContext(CardGuard);
  return (
    <Button {...rest} data-key={keyName} aria-disabled={!isAnswerable || undefined} onClick={() => guard(onClick)}>
      {children}
      {keyName !== undefined && <Keycap>{keyName}</Keycap>}
    </Button>
  );
}

type ReasonProps = { answer: Answering; placeholder: string; submitLabel: string; onBack: () => void };

/** Denies with words for Claude: they are kept until they are sent, line breaks included. */
function ReasonForm({ answer, placeholder, submitLabel, onBack }: ReasonProps) {
  const { isAnswerable, guard } = useContext(CardGuard);
  const { draft, setDraft, isGiving, give } = answer;
  const send = () => {
    if (isGiving) return;
    guard(() => give({ decision: 'deny', ...(draft.reason.trim() !== '' && { reason: draft.reason.trim() }) }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onBack();
    } else if (isSendKey(event)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} className="flex flex-wrap items-end gap-2 px-4 pt-1 pb-3.5">
      <textarea
        autoFocus
        dir="auto"
        rows={2}
        maxLength={4000}
        value={draft.reason}
        onChange={(event) => setDraft({ ...draft, reason: event.target.value })}
        aria-label={placeholder}
        placeholder={placeholder}
        className="field max-h-40 min-h-9 min-w-48 flex-1 resize-y rounded-md border border-line-strong bg-surface px-3 py-1.5 focus-visible:border-accent focus-visible:outline-offset-0"
      />
      <Button type="submit" variant="danger" busy={isGiving} aria-disabled={!isAnswerable || undefined}>
        {submitLabel}
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Back
      </Button>
    </form>
  );
}

type RowProps = {
  answer: Answering;
  denyLabel?: string;
  reasonLabel: string;
  placeholder: string;
  submitLabel: string;
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
  children: ReactNode;
};

/** The row of answers. Denying takes one press, or words for Claude first. */
export function AnswerRow({
  answer,
  denyLabel,
  reasonLabel,
  placeholder,
  submitLabel,
  isWriting,
  onWriting,
  children,
}: RowProps) {
  if (isWriting)
    return (
      <ReasonForm answer={answer} placeholder={placeholder} submitLabel={submitLabel} onBack={() => onWriting(false)} />
    );
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pt-1 pb-3.5 short:gap-1.5 short:pt-0 short:pb-2 short:[&_button]:h-auto short:[&_button]:min-h-8 short:[&_button]:px-2 short:[&_button]:py-0.5 short:[&_button]:text-sm">
      {children}
      <span className="ms-auto flex flex-wrap gap-2">
        {denyLabel !== undefined && (
          <AnswerButton
            variant="danger"
            keyName="D"
            disabled={answer.isGiving}
            onClick={() => answer.give({ decision: 'deny' })}
          >
            {denyLabel}
          </AnswerButton>
        )}
        <Button variant="quiet" data-key="R" disabled={answer.isGiving} onClick={() => onWriting(true)}>
          {reasonLabel}
          <Keycap>R</Keycap>
        </Button>
      </span>
    </div>
  );
}

/** Whether words for Claude are being written: at once where some are left from before a reload. */
export function useWriting(answer: Answering): [boolean, (isWriting: boolean) => void] {
  return useState(answer.draft.reason !== '');
}
