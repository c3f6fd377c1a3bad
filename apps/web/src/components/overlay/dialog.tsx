import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { UnsavedWork, unsavedWork } from '../../lib/form/unsaved-work';
import { classNames } from '../class-names';
import { UnsavedPart } from '../form/form';
import { DialogEndPlace } from '../form/form-end';
import { IconButton } from '../ui/icon-button';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The buttons, which stay in sight below what scrolls; a form has them from its `FormEnd`. */
  footer?: ReactNode;
  wide?: boolean;
};

function isSomething(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false;
}

/** A modal dialog; a sheet from below on a phone. Escape, a press outside and × ask before they lose unsaved words. */
export function Dialog({ open, onOpenChange, title, description, children, footer, wide = false }: Props) {
  const [part] = useState(() => new UnsavedWork());
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const change = (next: boolean) => {
    if (next || !part.exists) return onOpenChange(next);
    void unsavedWork.mayLeave(part).then((leave) => leave && onOpenChange(false));
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className={classNames(
            'fixed z-50 flex max-h-[min(92dvh,var(--seen-height,92dvh))] animate-appear flex-col bg-surface shadow-pop outline-none',
            'inset-x-0 bottom-[var(--keyboard,0px)] rounded-t-xl phone:inset-x-auto phone:bottom-auto phone:start-1/2 phone:top-(--dialog-top) phone:max-h-[calc(100dvh-var(--dialog-top)-1rem)] [--dialog-top:clamp(0.75rem,20dvh-4rem,12dvh)] phone:w-[calc(100vw-3rem)] phone:-translate-x-1/2 phone:rounded-xl phone:border phone:border-line',
            wide ? 'phone:max-w-2xl' : 'phone:max-w-md',
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4 pb-1">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description !== undefined && <div className="mt-0.5 text-muted">{description}</div>}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-me-1.5">
                <X size={17} />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="scroll-edges min-h-0 flex-1 overflow-y-auto px-5 py-3">
            <UnsavedPart value={part}>
              <DialogEndPlace value={end}>{children}</DialogEndPlace>
            </UnsavedPart>
          </div>
          <footer
            ref={setEnd}
            className="stack max-h-[60%] shrink-0 gap-3 overflow-y-auto px-5 pt-2 pb-[max(1.25rem,env(safe-area-inset-bottom))] empty:pb-[env(safe-area-inset-bottom)]"
          >
            {isSomething(footer) && <div className="flex flex-wrap justify-end gap-2">{footer}</div>}
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
