import type { Team } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { SelectField, TextField } from '../../../components/form/field';
import { Form } from '../../../components/form/form';
import { Section } from '../../../components/ui/page';
import { FailureText } from '../../../components/text/failure-text';
import { useUpdateTeam } from '../team.api';

function zonesWith(current: string): string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])];
}

/** Name and time zone; for owners and admins. */
export function TeamSettings({ team }: { team: Team }) {
  const [name, setName] = useState(team.name);
  const [timezone, setTimezone] = useState(team.timezone);
  const update = useUpdateTeam(team.id);
  const isChanged = name.trim() !== team.name || timezone !== team.timezone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ name: name.trim(), timezone });
  };
  return (
    <Section title="Team settings">
      <Form hasFailed={update.isError} className="stack max-w-sm gap-4" onSubmit={submit}>
        {update.isError && (
          <Callout tone="bad" role="alert">
            <FailureText error={update.error} />
          </Callout>
        )}
        <TextField
          label="Team name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
        />
        <SelectField
          label="Time zone"
          hint="Decides when a day, week or month starts in costs and budgets."
          value={timezone}
          onChange={(event) => setTimezone(event.target.value)}
        >
          {zonesWith(team.timezone).map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </SelectField>
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" busy={update.isPending} disabled={!isChanged || name.trim() === ''}>
            Save
          </Button>
          {update.isSuccess && !isChanged && (
            <span role="status" className="text-sm text-muted">
              Saved
            </span>
          )}
        </div>
      </Form>
    </Section>
  );
}
