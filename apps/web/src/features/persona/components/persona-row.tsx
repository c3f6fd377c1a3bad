import type { Persona } from '@chirality/contracts';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { formatMinute } from '../../../lib/format/time';
import { narrowingText, ORIGIN_NAMES, problemText } from '../persona-names';

type Props = { persona: Persona; mayApprove: boolean; onOpen: () => void };

/** One persona of a project's list: whose it is, whether it may be chosen, and what of it counts. */
export function PersonaRow({ persona, mayApprove, onOpen }: Props) {
  const { name, key, origin, description, problem, shadowedBy, narrowed, approval } = persona;
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          <code className="font-mono text-sm text-faint">{key}</code>
          <Badge tone={origin === 'project' ? 'accent' : 'neutral'}>{ORIGIN_NAMES[origin]}</Badge>
          {problem !== null && <Badge tone="bad">Broken</Badge>}
          {approval !== null && <Badge tone="good">Approved</Badge>}
          {origin === 'project' && approval === null && problem === null && shadowedBy === null && (
            <Badge tone="warn">{narrowed.length > 0 ? 'Only narrows' : 'Not approved'}</Badge>
          )}
        </p>
        {description !== '' && <p className="mt-0.5 text-sm text-muted">{description}</p>}
        {problem !== null && <p className="mt-1 font-mono text-sm wrap-anywhere text-bad">{problemText(problem)}</p>}
        {shadowedBy !== null && (
          <p className="mt-1 text-sm text-muted">
            Not used:{' '}
            {shadowedBy === 'project'
              ? 'another file of the project'
              : `a ${ORIGIN_NAMES[shadowedBy].toLowerCase()} persona`}{' '}
            has this key.
          </p>
        )}
        {narrowed.length > 0 && (
          <p className="mt-1 text-sm text-warn">
            Without effect until an admin approves it: {narrowed.map(narrowingText).join(' · ')}
          </p>
        )}
        {approval !== null && (
          <p className="mt-1 text-sm text-faint">
            Approved by {approval.name}, {formatMinute(approval.at)}
          </p>
        )}
      </div>
      {shadowedBy === null && problem === null && (
        <Button
          size="small"
          variant={origin === 'project' && approval === null && mayApprove ? 'primary' : 'secondary'}
          onClick={onOpen}
          aria-label={`${origin === 'project' && approval === null && mayApprove ? 'Review' : 'View'} ${name}`}
        >
          {origin === 'project' && approval === null && mayApprove ? 'Review' : 'View'}
        </Button>
      )}
    </li>
  );
}
