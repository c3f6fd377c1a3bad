import type { OptionOrigin, Session } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../../lib/format/duration';
import { formatUsd } from '../../../lib/format/money';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { optionsQuery } from '../api/get-options';

const NAMES: Record<string, string> = {
  model: 'Model',
  maxTurns: 'Max. model turns',
  permissionMode: 'Permission mode',
  tools: 'Tools',
  disallowedTools: 'Forbidden tools',
  autoApproveTools: 'Allowed without asking',
  strict: 'Strict',
  appendPrompt: 'Further instructions',
  maxBudgetUsd: 'Budget per turn',
  timeoutMs: 'Time limit',
  context: 'Conversation',
};

const ORIGINS: Record<OptionOrigin, string> = { turn: 'turn', session: 'session', persona: 'persona', project: 'project', team: 'team', 'built-in': 'built in' };

function shown(key: string, value: unknown): string {
  if (key === 'timeoutMs' && typeof value === 'number') return formatDuration(value);
  if (key === 'maxBudgetUsd' && typeof value === 'string') return formatUsd(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** What holds for the next turn, each option with where it comes from. */
export function OptionsList({ session, payer }: { session: Session; payer: string | null }) {
  const options = useQuery(optionsQuery(session.id));
  return (
    <section>
      <h2 className="text-sm font-semibold">Options of the next turn</h2>
      <QueryGate query={options} pending={<SkeletonRows count={5} className="mt-2 h-5 rounded-md" />}>
        {(resolved) => (
          <table className="mt-2 w-full text-sm">
            <thead className="sr-only">
              <tr>
                <th>Option</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(resolved).map(([key, { value, from }]) => (
                <tr key={key} className="align-top">
                  <th scope="row" className="py-0.5 pe-3 text-start font-normal whitespace-nowrap text-muted">
                    {NAMES[key] ?? key}
                  </th>
                  <td className="py-0.5 pe-3 wrap-anywhere">{shown(key, value)}</td>
                  <td className="py-0.5 text-end whitespace-nowrap text-faint">{ORIGINS[from]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </QueryGate>
      {payer !== null && <p className="pt-2 text-sm text-muted">{payer}</p>}
    </section>
  );
}
