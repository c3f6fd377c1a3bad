import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../../../components/class-names';
import { focusIfLost } from '../../../lib/keyboard/focus-if-lost';
import { treeMove, type TreeRow } from './tree-move';

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

type Props = {
  children: ReactNode;
  className?: string;
  /** The row where the keyboard continues. */
  focusRow: string | null;
  /** The focus is at some row. */
  onRowFocus: () => void;
};

/** What scrolls around a tree of files, with the keys that move in it. */
export function TreePane({ children, className, focusRow, onRowFocus }: Props) {
  const pane = useRef<HTMLElement>(null);
  // The row may come later, or never: it takes the focus from here.
  useEffect(() => {
    if (focusRow !== null) focusIfLost(pane.current);
  }, [focusRow]);
  return (
    <nav
      ref={pane}
      tabIndex={-1}
      aria-label="Files"
      onKeyDown={onTreeKey}
      onFocus={(event: FocusEvent<HTMLElement>) => {
        if (event.target !== event.currentTarget) onRowFocus();
      }}
      className={classNames('overflow-y-auto p-2 outline-none', className)}
    >
      {children}
    </nav>
  );
}
