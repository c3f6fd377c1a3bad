import type { BudgetKind, BudgetPeriod, BudgetScope, Project } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { SelectField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { membersQuery } from '../../access/access.api';
import { useCreateBudget } from '../budget.api';
import { KIND_HINTS, PERIOD_NAMES, SCOPE_NAMES } from '../budget-names';
import { LimitField } from './limit-field';

const SCOPES: BudgetScope[] = ['team', 'project', 'user'];
const PERIODS: BudgetPeriod[] = ['day', 'week', 'month', 'total'];

type Subject = { id: string; name: string };

/** What a budget of that scope can be about. */
function useSubjects(teamId: string, scope: BudgetScope, projects: readonly Project[]): readonly Subject[] {
  const members = useQuery({ ...membersQuery(teamId), enabled: scope === 'user' }).data ?? [];
  if (scope === 'project') return projects;
  return scope === 'user' ? members.map(({ userId, name }) => ({ id: userId, name })) : [];
}

type Props = {
  teamId: string;
  /** The team’s projects. */ projects: readonly Project[];
};

function CreateForm({ teamId, projects, onDone }: Props & { onDone: () => void }) {
  const [scope, setScope] = useState<BudgetScope>('team');
  const [kind, setKind] = useState<BudgetKind>('hard');
  const subjects = useSubjects(teamId, scope, projects);
  const create = useCreateBudget(teamId);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const subjectId = scope === 'team' ? {} : { subjectId: String(form.get('subject')) };
    create.mutate(
      {
        scope,
        kind,
        period: String(form.get('period')) as BudgetPeriod,
        limitUsd: String(form.get('limitUsd')).trim(),
        ...subjectId,
      },
      { onSuccess: onDone },
    );
  };
  return (
    <Form hasFailed={create.isError} className="stack gap-4" onSubmit={submit}>
      <SelectField label="Who" value={scope} onChange={(event) => setScope(event.target.value as BudgetScope)}>
        {SCOPES.map((value) => (
          <option key={value} value={value}>
            {SCOPE_NAMES[value]}
          </option>
        ))}
      </SelectField>
      {scope !== 'team' && (
        <SelectField label={scope === 'project' ? 'Project' : 'Person'} name="subject" required>
          {subjects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <LimitField />
      <SelectField label="Period" name="period" defaultValue="month">
        {PERIODS.map((value) => (
          <option key={value} value={value}>
            {PERIOD_NAMES[value]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="When it is reached"
        value={kind}
        onChange={(event) => setKind(event.target.value as BudgetKind)}
        hint={KIND_HINTS[kind]}
      >
        <option value="hard">Stop</option>
        <option value="warning">Warn only</option>
      </SelectField>
      <FormEnd submit="Create budget" outcome={create} onCancel={onDone} />
    </Form>
  );
}

export function CreateBudgetDialog({
  open,
  onOpenChange,
  ...form
}: Props & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="New budget">
      <CreateForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
