import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { treeMove, type TreeRow } from '../tree-move';

function rowOf(button: HTMLElement): TreeRow {
  const expanded = button.getAttribute('aria-expanded');
  return { depth: Number(button.dataset['depth']), isOpen: expanded === null ? null : expanded === 'true' };
}

function onTreeKey(event: KeyboardEvent<HTMLElement>) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button[data-depth]:not(:disabled)')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const move = treeMove(event.key, buttons.map(rowOf), at);
  if (move === null) return;
  event.preventDefault();
  if (move === 'toggle') buttons[at]?.click();
  else buttons[move.to]?.focus();
}

/** What scrolls around a tree of files, with the keys that move in it. */
export function TreePane({
  children,
  className,
  onFocus,
}: {
  children: ReactNode;
  className?: string;
  onFocus?: () => void;
}) {
  return (
    <nav
      aria-label="Files"
      onKeyDown={onTreeKey}
      onFocus={onFocus}
      className={classNames('overflow-y-auto p-2', className)}
    >
      {children}
    </nav>
  );
}
