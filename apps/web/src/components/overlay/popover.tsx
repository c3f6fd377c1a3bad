import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

type Props = {
  trigger: ReactNode;
  label: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom';
};

export function Popover({ trigger, label, children, align = 'start', side = 'bottom' }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={10}
          className="z-50 max-h-(--radix-popover-content-available-height) w-88 max-w-[calc(100vw-1.25rem)] animate-appear overflow-y-auto rounded-lg border border-line bg-surface p-4 shadow-pop outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
