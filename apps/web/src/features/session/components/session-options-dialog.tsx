import type { HarnessName, ResolvedOptions, Session } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Dialog } from '../../../components/overlay/dialog';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { isAdmin, useTeam } from '../../access/hooks/use-team';
import { useSetSessionOptions } from '../session.api';
import { optionFaults } from '../../options/option-faults';
import { changedOptions } from '../../options/options-of-form';
import { HarnessSelect } from './harness-select';
import { OptionFields } from '../../options/components/option-fields';

type Props = { session: Session; resolved: ResolvedOptions | undefined; onDone: () => void };

function OptionsForm({ session, resolved, onDone }: Props) {
  const role = useTeam(session.teamId)?.role;
  const [shown] = useState(session.options);
  const save = useSetSessionOptions(session.id, onDone);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const harness = form.get('harness');
    save.mutate({
      options: changedOptions(session.options, form, shown),
      ...(harness !== null && harness !== session.harness && { harness: harness as HarnessName }),
    });
  };
  const { faults, elsewhere } = optionFaults(save.error, 'options');
  const limits = { maxTurns: resolved?.maxTurns?.limit, timeoutMs: resolved?.timeoutMs?.limit };
  return (
    <Form className="stack gap-4" hasFailed={save.isError} onSubmit={submit}>
      <OptionFields options={shown} resolved={resolved} limits={limits} faults={faults} mayNameModel={isAdmin(role)} />
      <HarnessSelect chosen={session.harness} />
      <FormEnd submit="Save" outcome={{ error: elsewhere, isPending: save.isPending }} onCancel={onDone} />
    </Form>
  );
}

/** Changes what this session sets itself; what it leaves open comes from its persona, project or team. */
export function SessionOptionsDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Session options"
      description="They apply from the next turn, for everyone who sends messages here."
    >
      <OptionsForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
