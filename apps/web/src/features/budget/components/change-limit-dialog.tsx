import type { Budget } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { budgetsChanged, setBudgetLimit } from '../budget.api';
import { LimitField } from './limit-field';

export function ChangeLimitDialog({
  budget,
  open,
  onOpenChange,
}: {
  budget: Budget;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: setBudgetLimit,
    onSuccess: async () => {
      await budgetsChanged(queries, budget.teamId);
      onOpenChange(false);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.mutate({ budgetId: budget.id, limitUsd: String(new FormData(event.currentTarget).get('limitUsd')).trim() });
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Budget of ${budget.subjectName}`}>
      <Form hasFailed={change.isError} className="stack gap-4" onSubmit={submit}>
        <LimitField initial={budget.limitUsd} />
        <FormEnd submit="Save limit" outcome={change} onCancel={() => onOpenChange(false)} />
      </Form>
    </Dialog>
  );
}
