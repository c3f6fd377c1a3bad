import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { keysQuery } from '../key.api';
import { useTeams } from '../../access/hooks/use-team';

/** Where the demo model would answer my turns; of several teams those are named in which it does. */
export function DemoNote() {
  const teams = useTeams();
  const paidBy = useQuery(keysQuery).data?.paidBy ?? {};
  const inDemo = teams.filter(({ id }) => paidBy[id] === 'demo');
  if (inDemo.length === 0) return null;
  const where = inDemo.length === teams.length ? '' : ` in ${inDemo.map(({ name }) => name).join(', ')}`;
  return (
    <Link
      to="/settings"
      className="mb-1 flex gap-2 rounded-md bg-accent-soft px-2.5 py-2 text-sm text-accent hover:underline"
      title="Add an API key in Settings to use Claude."
    >
      <FlaskConical size={15} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span>
        <strong className="font-semibold">Demo model{where}.</strong> Answers are scripted and not charged. Add an API
        key to use Claude.
      </span>
    </Link>
  );
}
