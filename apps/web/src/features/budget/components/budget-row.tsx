import type { Budget } from '@chirality/contracts';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../components/ui/badge';
import { classNames } from '../../../components/class-names';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { formatUsd } from '../../../lib/format/money';
import { useRemoveBudget } from '../budget.api';
import { KIND_HINTS, PERIOD_NAMES } from '../budget-names';
import { ChangeLimitDialog } from './change-limit-dialog';

const WORDS = { team: 'team', project: 'project', session: 'session', user: 'person' } as const;

function Meter({ budget }: { budget: Budget }) {
  const tone = budget.percent >= 100 ? 'bg-bad' : budget.percent >= 80 ? 'bg-warn' : 'bg-accent';
  return (
    <div
      role="meter"
      aria-label={`Spent of the budget of ${budget.subjectName}`}
      aria-valuenow={Math.min(100, budget.percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 w-full overflow-hidden rounded-full bg-sunken"
    >
      <div className={classNames('h-full rounded-full', tone)} style={{ width: `${Math.min(100, budget.percent)}%` }} />
    </div>
  );
}

/** One budget: how far it is used in its present window, and what can be done about it. */
export function BudgetRow({ budget, mayChange }: { budget: Budget; mayChange: boolean }) {
  const remove = useRemoveBudget(budget);
  const [open, setOpen] = useState<'limit' | 'remove' | null>(null);
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="stack min-w-0 flex-1 gap-1.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate font-medium">{budget.subjectName}</span>
          <span className="text-sm text-faint">{WORDS[budget.scope]}</span>
          {budget.percent >= 100 ? (
            <Badge tone="bad">used up</Badge>
          ) : (
            budget.percent >= 80 && <Badge tone="warn">{budget.percent} %</Badge>
          )}
          {budget.kind === 'warning' && <Badge title={KIND_HINTS.warning}>warning</Badge>}
          <span className="ms-auto text-sm tabular-nums" title={`$${budget.spentUsd} of $${budget.limitUsd}`}>
            {formatUsd(budget.spentUsd)} of {formatUsd(budget.limitUsd)} {PERIOD_NAMES[budget.period]}
          </span>
        </p>
        <Meter budget={budget} />
      </div>
      {mayChange && (
        <div className="flex">
          <IconButton label={`Change the limit of ${budget.subjectName}`} onClick={() => setOpen('limit')}>
            <Pencil size={15} />
          </IconButton>
          <IconButton label={`Remove the budget of ${budget.subjectName}`} onClick={() => setOpen('remove')}>
            <Trash2 size={16} />
          </IconButton>
        </div>
      )}
      <ChangeLimitDialog
        budget={budget}
        open={open === 'limit'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'limit' : null)}
      />
      <ConfirmDialog
        title="Remove this budget?"
        confirmLabel="Remove"
        open={open === 'remove'}
        onOpenChange={(isOpen) => setOpen(isOpen ? 'remove' : null)}
        onConfirm={() => remove.mutateAsync()}
      >
        It stops limiting spend. What was spent stays in the totals.
      </ConfirmDialog>
    </li>
  );
}
