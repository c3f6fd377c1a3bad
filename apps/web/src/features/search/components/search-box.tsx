import { MAX_SEARCH_CHARS } from '@chirality/contracts';
import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useSettled } from '../../../lib/state/use-settled';

const SETTLED_MS = 250;

/** What is searched for. It is asked for once the person stops typing, or at once by Enter. */
export function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const [seenValue, setSeenValue] = useState(value);
  // The address changed otherwise: by a link, or by going back.
  if (seenValue !== value) {
    setSeenValue(value);
    if (text.trim() !== value.trim()) setText(value);
  }
  const settled = useSettled(text, SETTLED_MS);
  const search = useEffectEvent((wanted: string) => {
    if (wanted === text && wanted !== value) onSearch(wanted);
  });
  useEffect(() => search(settled), [settled]);
  return (
    <form
      role="search"
      className="flex items-center gap-2.5 rounded-lg border border-line-strong bg-surface px-3 focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text);
      }}
    >
      <Search size={17} aria-hidden="true" className="shrink-0 text-faint" />
      <input
        type="search"
        autoFocus
        dir="auto"
        maxLength={MAX_SEARCH_CHARS}
        aria-label="Search in all sessions"
        placeholder="Search in all sessions"
        className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </form>
  );
}
