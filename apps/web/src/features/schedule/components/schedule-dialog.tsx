import type { Schedule } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { NameField, SelectField, TextArea, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { FormEnd } from '../../../components/form/form-end';
import { Dialog } from '../../../components/overlay/dialog';
import { Callout } from '../../../components/ui/callout';
import { fieldErrorsOf } from '../../../lib/http/api-error';
import { formatMinute } from '../../../lib/format/time';
import { useSettled } from '../../../lib/state/use-settled';
import { SCHEDULE_TIMES, yourTime } from '../schedule-facts';
import { schedulePreviewQuery, useCreateSchedule, useUpdateSchedule } from '../schedule.api';

export type ScheduleAccount = { id: string; name: string };
type Props = {
  projectId: string;
  /** Absent for a new one. */
  schedule?: Schedule;
  personas: readonly { key: string; name: string }[];
  /** Service accounts that it could run as. */
  accounts: readonly ScheduleAccount[];
  userName: string;
  onDone: () => void;
};

const TYPED_FOR_MS = 400;
const OTHER = 'other';
const NEVER = 'never';

function timezones(current: string): string[] {
  return [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

function Preview({ cron, timezone }: { cron: string; timezone: string }) {
  const settled = useSettled(`${timezone} ${cron}`, TYPED_FOR_MS);
  const [zone = '', ...fields] = settled.split(' ');
  const preview = useQuery({ ...schedulePreviewQuery(fields.join(' '), zone), enabled: fields.join('') !== '' });
  if (preview.isError) {
    const errors = fieldErrorsOf(preview.error);
    return (
      <Callout tone="bad" role="status">
        {errors['cron'] ?? errors['timezone'] ?? 'That is no time that can be used.'}
      </Callout>
    );
  }
  if (preview.data === undefined) return null;
  return (
    <Callout title={preview.data.words}>
      <ul aria-label="The next five runs" className="text-sm">
        {preview.data.next.map((at) => (
          <li key={at}>
            {formatMinute(at)}
            {yourTime(zone)}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function ScheduleForm({ projectId, schedule, personas, accounts, userName, onDone }: Props) {
  const create = useCreateSchedule(projectId);
  const update = useUpdateSchedule(projectId, schedule?.id ?? '');
  const save = schedule === undefined ? create : update;
  const [cron, setCron] = useState<string | null>(schedule === undefined ? '0 9 * * MON-FRI' : schedule.cron);
  const [isOther, setOther] = useState(
    cron !== null && SCHEDULE_TIMES.every((one) => one.cron !== cron) && schedule !== undefined,
  );
  const [timezone, setTimezone] = useState(
    schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const wanted = {
      name: text('name'),
      message: text('message'),
      persona: text('persona') === '' ? null : text('persona'),
      budgetUsd: text('budget') === '' ? null : text('budget'),
      cron: cron === null ? null : cron.trim(),
      timezone,
    };
    if (schedule !== undefined) update.mutate(wanted, { onSuccess: onDone });
    else
      create.mutate(
        { ...wanted, session: 'new', ...(text('account') === '' ? {} : { serviceAccountId: text('account') }) },
        { onSuccess: onDone },
      );
  };
  const errors = fieldErrorsOf(save.error);
  return (
    <Form hasFailed={save.isError} className="stack gap-4" onSubmit={submit}>
      <NameField autoFocus defaultValue={schedule?.name} placeholder="Nightly review" error={errors['name'] ?? null} />
      <TextArea
        label="Message"
        name="message"
        required
        rows={4}
        maxLength={100_000}
        defaultValue={schedule?.message}
        hint={
          schedule === undefined || schedule.session === 'new'
            ? 'Sent to Claude in a new session each time.'
            : 'Sent to Claude in the same session each time.'
        }
        error={errors['message'] ?? null}
      />
      <SelectField
        label="When"
        value={cron === null ? NEVER : isOther ? OTHER : cron}
        onChange={(event) => {
          const { value } = event.target;
          setOther(value === OTHER);
          if (value !== OTHER) setCron(value === NEVER ? null : value);
          else if (cron === null) setCron('0 9 * * *');
        }}
      >
        {SCHEDULE_TIMES.map((one) => (
          <option key={one.cron} value={one.cron}>
            {one.label}
          </option>
        ))}
        <option value={OTHER}>Other…</option>
        <option value={NEVER}>Only by its trigger</option>
      </SelectField>
      {isOther && cron !== null && (
        <TextField
          label="Cron expression"
          value={cron}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          hint="Minute, hour, day of month, month, day of week."
          onChange={(event) => setCron(event.target.value)}
          error={errors['cron'] ?? null}
        />
      )}
      {cron !== null && (
        <>
          <SelectField label="Time zone" value={timezone} onChange={(event) => setTimezone(event.target.value)}>
            {timezones(timezone).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </SelectField>
          <Preview cron={cron} timezone={timezone} />
        </>
      )}
      {personas.length > 0 && (
        <SelectField label="Persona" name="persona" defaultValue={schedule?.persona ?? ''}>
          <option value="">None</option>
          {personas.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {schedule === undefined && (
        <SelectField
          label="Runs as"
          name="account"
          defaultValue=""
          hint="Its turns have the rights, key and budgets that this member has at that moment."
        >
          <option value="">{userName} (you)</option>
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name} (service account)
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label="Most that one run may cost, in US dollars"
        name="budget"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={schedule?.budgetUsd ?? ''}
        placeholder="No separate limit"
        error={errors['budgetUsd'] ?? null}
      />
      <p className="text-sm text-muted">
        No one is asked while it runs: a permission request without an answer is denied after a minute.
      </p>
      <FormEnd submit={schedule === undefined ? 'Create schedule' : 'Save'} outcome={save} onCancel={onDone} />
    </Form>
  );
}

export function ScheduleDialog({
  open,
  onOpenChange,
  ...form
}: Omit<Props, 'onDone'> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={form.schedule === undefined ? 'Create a schedule' : `Edit ${form.schedule.name}`}
    >
      <ScheduleForm {...form} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}
