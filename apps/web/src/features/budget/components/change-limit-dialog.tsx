import type { Budget } from '@chirality/contracts';
import type { FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { useSetBudgetLimit } from '../budget.api';
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
  const change = useSetBudgetLimit(budget);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const limitUsd = String(new FormData(event.currentTarget).get('limitUsd')).trim();
    change.mutate(limitUsd, { onSuccess: () => onOpenChange(false) });
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
