import type { Project, SearchHit } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { NameText } from '../../../components/text/untrusted-text';
import { Badge } from '../../../components/ui/badge';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import { FIELD_WORDS } from '../field-words';
import { hitLink } from '../search-address';
import { MarkedText } from './marked-text';

/** What was found, each a link to its place. */
export function HitList({ hits, projects }: { hits: readonly SearchHit[]; projects: readonly Project[] }) {
  const now = useMinute();
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return (
    <ul className="stack gap-1" aria-label="Results">
      {hits.map((hit) => (
        <li key={`${hit.session}/${hit.eventId}/${hit.field}`}>
          <Link {...hitLink(hit)} className="stack gap-1 rounded-md px-3 py-2.5 -mx-3 hover:bg-hover">
            <span className="flex min-w-0 items-baseline gap-2">
              <NameText text={hit.title} className="min-w-0 truncate font-medium" />
              {hit.status === 'archived' && <Badge>Archived</Badge>}
              <time
                dateTime={hit.at}
                title={formatFull(hit.at)}
                className="ms-auto shrink-0 text-xs text-faint tabular-nums"
              >
                {formatAgo(hit.at, now)}
              </time>
            </span>
            {hit.field !== 'title' && (
              <span className="line-clamp-3 text-sm wrap-anywhere text-muted">
                <MarkedText {...hit} />
              </span>
            )}
            <span className="truncate text-xs text-faint">
              {FIELD_WORDS[hit.field]}
              {names.has(hit.projectId) && (
                <>
                  {' · '}
                  <NameText text={names.get(hit.projectId)!} />
                </>
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
