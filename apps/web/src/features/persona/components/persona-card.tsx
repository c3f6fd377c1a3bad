import type { ResolvedPersona } from '@chirality/contracts';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../components/ui/badge';
import { formatMinute } from '../../../lib/format/time';
import { narrowingText, ORIGIN_NAMES } from '../persona-names';

const LINK = 'underline underline-offset-4 hover:text-text';

/** Exactly which persona shapes a turn, and what of it does not count. */
export function PersonaCard({ persona, projectId }: { persona: ResolvedPersona | null; projectId: string }) {
  if (persona === null) return <p className="text-sm text-muted">No persona.</p>;
  const { name, origin, id, version, file, commit, contentHash, approval, narrowed } = persona;
  return (
    <div className="rounded-lg border border-line p-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        <Badge tone={origin === 'project' ? 'accent' : 'neutral'}>{ORIGIN_NAMES[origin]}</Badge>
        {origin === 'project' && (
          <Badge tone={approval === null ? 'warn' : 'good'}>{approval === null ? 'Not approved' : 'Approved'}</Badge>
        )}
      </p>
      <p className="mt-1 wrap-anywhere text-muted">
        {version !== null && id !== null && (
          <Link to="/personas/$personaId" params={{ personaId: id }} className={LINK}>
            version {version}
          </Link>
        )}
        {origin === 'project' && (
          <Link to="/projects/$projectId/personas" params={{ projectId }} className={LINK}>
            {file} at {commit?.slice(0, 8)}
          </Link>
        )}
        {origin === 'built-in' && file} · <span title={contentHash}>{contentHash.slice(0, 12)}</span>
      </p>
      {approval !== null && (
        <p className="text-faint">
          Approved by {approval.name}, {formatMinute(approval.at)}
        </p>
      )}
      {narrowed.length > 0 && (
        <p className="mt-1 text-warn">Without effect until approved: {narrowed.map(narrowingText).join(' · ')}</p>
      )}
    </div>
  );
}
