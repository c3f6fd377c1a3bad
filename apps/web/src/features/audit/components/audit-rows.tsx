import type { AuditEntry } from '@chirality/contracts';
import { UntrustedText } from '../../../components/text/untrusted-text';
import { formatAgo, formatFull } from '../../../lib/format/time';
import { useNow } from '../../../lib/state/use-now';
import { auditSentence } from '../audit-sentence';
import { auditSubject, type Places } from '../audit-subject';
import { AuditPlace } from './audit-place';

/** `places`: the projects and sessions that are named beside the acts in them. */
export function AuditRows({ entries, places }: { entries: readonly AuditEntry[]; places: Places }) {
  const now = useNow();
  return (
    <ul className="stack gap-1.5 text-sm">
      {entries.map((entry) => (
        <li key={entry.id} className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <span className="font-medium">
              <UntrustedText text={entry.userName ?? 'The service'} mode="prose" />
            </span>{' '}
            <UntrustedText text={auditSentence(entry)} mode="prose" />
            <AuditPlace subject={auditSubject(entry, places)} />
          </span>
          <time dateTime={entry.at} title={formatFull(entry.at)} className="shrink-0 text-xs text-faint tabular-nums">
            {formatAgo(entry.at, now)}
          </time>
        </li>
      ))}
    </ul>
  );
}
