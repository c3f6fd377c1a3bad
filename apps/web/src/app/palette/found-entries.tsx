import type { SearchHit } from '@chirality/contracts';
import { Search, TextSearch } from 'lucide-react';
import { MarkedText } from '../../features/search/components/marked-text';
import { FIELD_WORDS } from '../../features/search/field-words';
import { hitLink } from '../../features/search/search-address';
import type { PaletteEntry } from './palette-entries';

/**
 * What was said and done where the typed words are, and the way to all of it. Sessions stand in the list already by
 * their titles.
 */
export function foundEntries(search: string, hits: readonly SearchHit[], listed: ReadonlySet<string>): PaletteEntry[] {
  if (search.trim() === '') return [];
  return [
    ...hits
      .filter(({ field, session }) => field !== 'title' || !listed.has(session))
      .map((hit): PaletteEntry => ({
        key: `${hit.session}/${hit.eventId}/${hit.field}`,
        label: hit.snippet,
        context: hit.field === 'title' ? FIELD_WORDS.title : hit.title,
        icon: <TextSearch size={16} />,
        content: <MarkedText {...hit} />,
        run: (navigate) => navigate(hitLink(hit)),
      })),
    {
      key: 'search-all',
      label: `Search for “${search.trim()}” in all sessions`,
      context: 'Search',
      icon: <Search size={16} />,
      run: (navigate) => navigate({ to: '/search', search: { q: search.trim() } }),
    },
  ];
}
