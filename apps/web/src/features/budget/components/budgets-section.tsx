import type { Project, Team } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { isAdmin } from '../../access/hooks/use-team';
import { budgetsQuery } from '../budget.api';
import { BudgetRow } from './budget-row';
import { CreateBudgetDialog } from './create-budget-dialog';

/** What may be spent in the team, and how much of it is; nothing for a member about whom no budget is. */
export function BudgetsSection({ team, projects }: { team: Team; projects: readonly Project[] }) {
  const mayChange = isAdmin(team.role);
  const budgets = useQuery(budgetsQuery(team.id));
  const [isCreating, setCreating] = useState(false);
  if (!mayChange && (budgets.data ?? []).length === 0) return null;
  return (
    <Section
      title="Budgets"
      description={
        mayChange ? 'Limits and current spend (demo excluded).' : 'Your limits and current spend (demo excluded).'
      }
      actions={
        mayChange && (
          <Button size="small" icon={<Plus size={14} />} onClick={() => setCreating(true)}>
            New budget
          </Button>
        )
      }
    >
      <QueryGate query={budgets} pending={<SkeletonRows count={1} className="h-14 rounded-lg" />}>
        {(list) =>
          list.length === 0 ? (
            <p className="rounded-lg border border-line bg-surface px-4 py-3 text-muted shadow-card">
              No budgets yet. Spending is limited only by the API keys.
            </p>
          ) : (
            <ul
              aria-label="Budgets"
              className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
            >
              {list.map((budget) => (
                <BudgetRow key={budget.id} budget={budget} mayChange={mayChange} />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <CreateBudgetDialog teamId={team.id} projects={projects} open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}
