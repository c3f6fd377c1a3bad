import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Dialog as Radix } from 'radix-ui';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Search } from 'lucide-react';
import { classNames } from '../../components/class-names';
import { NameText } from '../../components/text/untrusted-text';
import { projectsQuery } from '../../features/project/project.api';
import { useMayWrite, useTeams } from '../../features/access/hooks/use-team';
import { recentSessionsQuery } from '../../features/session/session.api';
import { firstHitsQuery } from '../../features/search/search.api';
import { useSettled } from '../../lib/state/use-settled';
import { foundEntries } from './found-entries';
import { paletteEntries, type PaletteEntry } from './palette-entries';
import { rankEntries } from './rank-entries';

const MOST = 40;
const SETTLED_MS = 200;
/** One letter is in nearly everything. */
const MIN_SEARCH_CHARS = 2;

function PaletteList({ onDone }: { onDone: () => void }) {
  const projects = useQuery(projectsQuery);
  const sessions = useQuery(recentSessionsQuery);
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const listRef = useRef<HTMLUListElement>(null);
  const teams = useTeams();
  const mayCreateProject = useMayWrite();
  const { projectId, sessionId } = useParams({ strict: false });
  const all = useMemo(() => {
    const place = { projects: projects.data ?? [], sessions: sessions.data ?? [], teams, projectId, sessionId };
    return paletteEntries(place, mayCreateProject);
  }, [projects.data, sessions.data, teams, projectId, sessionId, mayCreateProject]);
  const settled = useSettled(search.trim(), SETTLED_MS);
  const hits = useQuery({ ...firstHitsQuery(settled), enabled: settled.length >= MIN_SEARCH_CHARS }).data;
  const shown = useMemo(() => {
    const named = rankEntries(all, search).slice(0, MOST);
    const found = settled === search.trim() ? (hits ?? []) : [];
    return [...named, ...foundEntries(search, found, new Set(named.map(({ key }) => key)))];
  }, [all, search, settled, hits]);

  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onDone();
    entry.run((options) => void navigate(options));
  };
  const move = (to: number) => {
    const next = (to + shown.length) % Math.max(1, shown.length);
    setAt(next);
    listRef.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') choose(shown[at]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search size={17} aria-hidden="true" className="text-faint" />
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={shown.length > 0 ? `${listId}-${at}` : undefined}
          aria-label="Go to a project, session or page, or search what was said"
          placeholder="Go to… or search what was said"
          className="h-13 flex-1 bg-transparent text-lg outline-none"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul ref={listRef} id={listId} role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto p-2">
        {shown.map((entry, index) => (
          <li
            key={entry.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(entry)}
            className={classNames(
              'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 pointer-coarse:py-3',
              index === at && 'bg-hover',
            )}
          >
            <span aria-hidden="true" className="text-faint">
              {entry.icon}
            </span>
            {entry.content === undefined ? (
              <NameText text={entry.label} className="min-w-0 flex-1 truncate" />
            ) : (
              <span className="line-clamp-2 min-w-0 flex-1 text-sm wrap-anywhere">{entry.content}</span>
            )}
            <span className="max-w-40 shrink-0 truncate text-sm text-faint">{entry.context}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="px-5 pb-5 text-muted">No results</p>}
    </>
  );
}

/** Ctrl+K: everything that can be gone to or started, by typing a part of its name. */
export function Palette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed start-1/2 top-[12dvh] z-50 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 animate-appear overflow-hidden rounded-xl border border-line bg-surface shadow-pop outline-none"
        >
          <Radix.Title className="sr-only">Go to</Radix.Title>
          <PaletteList onDone={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
