import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from '../class-names';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  side: 'start' | 'bottom';
  children: ReactNode;
};

/** A panel over the page, from its edge; closed by Escape, by a press outside and by what is chosen in it. */
export function Sheet({ open, onOpenChange, title, side, children }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className={classNames(
            'fixed z-50 flex animate-appear flex-col bg-canvas shadow-pop outline-none',
            side === 'start' ? 'inset-y-0 start-0 w-[min(20rem,86vw)]' : 'inset-x-0 bottom-0 h-[88dvh] rounded-t-xl',
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
