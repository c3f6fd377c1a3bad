import type { OptionOrigin, Session, Turn } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../../lib/format/duration';
import { formatUsd } from '../../../lib/format/money';
import { latestTurnQuery } from '../api/get-latest-turn';

const NAMES: Record<string, string> = {
  model: 'Model',
  maxTurns: 'Most model turns',
  permissionMode: 'Permission mode',
  tools: 'Tools',
  disallowedTools: 'Forbidden tools',
  autoApproveTools: 'Allowed without asking',
  strict: 'Strict',
  appendPrompt: 'Further instructions',
  maxBudgetUsd: 'Budget of a turn',
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

type Row = { key: string; value: unknown; from: OptionOrigin };

function rowsOf(turn: Turn | null, session: Session): Row[] {
  if (turn !== null && Object.keys(turn.options).length > 0) {
    return Object.entries(turn.options).map(([key, option]) => ({ key, value: option.value, from: option.from }));
  }
  return Object.entries(session.options).map(([key, value]) => ({ key, value, from: 'session' }));
}

/** The options of the latest turn, each with where it came from. */
export function OptionsList({ session, seenTurn, payer }: { session: Session; seenTurn: string | null; payer: string | null }) {
  const turn = useQuery(latestTurnQuery(session.id, seenTurn)).data ?? null;
  const rows = rowsOf(turn, session);
  return (
    <section>
      <h2 className="text-sm font-semibold">Options {turn === null ? 'of this session' : 'of the latest turn'}</h2>
      {rows.length === 0 ? (
        <p className="pt-1 text-sm text-muted">Nothing is set here; the first turn shows what applies.</p>
      ) : (
        <table className="mt-2 w-full text-sm">
          <thead className="sr-only">
            <tr>
              <th>Option</th>
              <th>Value</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, value, from }) => (
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
      {payer !== null && <p className="pt-2 text-sm text-muted">{payer}</p>}
    </section>
  );
}
