import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';

/** A part of a name, as a person types it. The arrow leads from it into the rows below. */
export function FindField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowDown') return;
    const pane = event.currentTarget.closest('[data-files]');
    const row = pane?.querySelector<HTMLElement>('button[data-depth]:not(:disabled)');
    if (row == null) return;
    event.preventDefault();
    row.focus();
  };
  return (
    <label className="relative block shrink-0 px-2 pt-2">
      <span className="sr-only">Find files by name</span>
      <Search size={14} aria-hidden="true" className="absolute start-4.5 top-1/2 mt-1 -translate-y-1/2 text-faint" />
      <input
        type="search"
        placeholder="Find files by name"
        value={value}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2 text-sm focus-visible:border-accent focus-visible:outline-offset-0 pointer-coarse:h-11"
      />
    </label>
  );
}
