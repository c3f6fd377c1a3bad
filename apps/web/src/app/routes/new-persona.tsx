import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { TextField } from '../../components/form/field';
import { Form } from '../../components/form/form';
import { Page } from '../../components/ui/page';
import { FailureText } from '../../components/text/failure-text';
import { useCreateTeamPersona } from '../../features/persona/persona.api';
import { NEW_PERSONA_TEXT, PersonaEditor, readPersonaText } from '../../features/persona/components/persona-editor';
import { useTeam } from '../../features/access/hooks/use-team';
import { useTitle } from '../../lib/page/use-title';

const KEY = /^[A-Za-z0-9][\w-]*$/;

export default function NewPersonaPage() {
  useTitle('New persona');
  const team = useTeam();
  const [key, setKey] = useState('');
  const [text, setText] = useState(NEW_PERSONA_TEXT);
  const navigate = useNavigate();
  const create = useCreateTeamPersona((persona) =>
    navigate({ to: '/personas/$personaId', params: { personaId: persona.id } }),
  );
  const isKeyFit = KEY.test(key);
  const isReady = team !== null && isKeyFit && 'definition' in readPersonaText(key, text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (team !== null) create.mutate({ teamId: team.id, key, text });
  };
  return (
    <Page title="New persona" description="For everyone in the team. Each save is kept as a version.">
      <Form className="stack gap-5" hasFailed={create.isError} onSubmit={submit}>
        <div className="max-w-sm">
          <TextField
            label="Key"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            maxLength={100}
            autoFocus
            spellCheck={false}
            autoCapitalize="off"
            placeholder="guide"
            error={key === '' || isKeyFit ? null : 'Letters, digits, - and _ only, and a letter or digit first.'}
            hint="Identifier used by sessions. Reusing a built-in key overrides that persona."
          />
        </div>
        <PersonaEditor personaKey={key} text={text} onText={setText}>
          {create.isError && (
            <Callout tone="bad" role="alert">
              <FailureText error={create.error} />
            </Callout>
          )}
          <div className="flex justify-end gap-2">
            <Button variant="quiet" onClick={() => void navigate({ to: '/personas' })}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" disabled={!isReady} busy={create.isPending}>
              Save
            </Button>
          </div>
        </PersonaEditor>
      </Form>
    </Page>
  );
}
