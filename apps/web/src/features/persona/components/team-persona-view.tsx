import type { TeamPersona } from '@chirality/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Form } from '../../../components/ui/form';
import { Section } from '../../../components/ui/page';
import { ApiError } from '../../../lib/http/api-error';
import { saveTeamPersona } from '../api/save-team-persona';
import { PersonaEditor, readPersonaText } from './persona-editor';
import { VersionList } from './version-list';
import { FailureText } from '../../../components/ui/failure-text';

/** One persona to edit. What is being written survives a save of somebody else, which is told. */
export function TeamPersonaView({ persona, mayEdit }: { persona: TeamPersona; mayEdit: boolean }) {
  const [draft, setDraft] = useState<{ text: string; baseVersion: number } | null>(null);
  const queries = useQueryClient();
  const refresh = () => Promise.all([['team-persona', persona.id], ['team-personas'], ['personas']].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const save = useMutation({
    mutationFn: saveTeamPersona,
    onSuccess: (saved) => {
      queries.setQueryData(['team-persona', persona.id], saved);
      setDraft(null);
    },
    onSettled: refresh,
  });
  const text = draft?.text ?? persona.text;
  const isFit = 'definition' in readPersonaText(persona.key, text);
  const isOvertaken = draft !== null && draft.baseVersion !== persona.version;
  const write = (next: string) => setDraft(next === persona.text && !isOvertaken ? null : { text: next, baseVersion: draft?.baseVersion ?? persona.version });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft !== null) save.mutate({ personaId: persona.id, ...draft });
  };
  return (
    <>
      <Form isChanged={draft !== null} hasFailed={save.isError} onSubmit={submit}>
      <PersonaEditor personaKey={persona.key} text={text} onText={write} isReadOnly={!mayEdit}>
        {save.isError && !(save.error instanceof ApiError && save.error.code === 'CONFLICT') && (
          <Callout tone="bad" role="alert">
            <FailureText error={save.error} />
          </Callout>
        )}
        {isOvertaken && (
          <Callout
            tone="warn"
            role="alert"
            title={`${persona.savedBy.name} saved version ${persona.version} meanwhile`}
            actions={
              <>
                <Button size="small" onClick={() => setDraft(null)}>
                  Take theirs
                </Button>
                <Button size="small" onClick={() => setDraft({ text, baseVersion: persona.version })}>
                  Continue with mine
                </Button>
              </>
            }
          >
            Nothing was overwritten. Version {persona.version} is in the list below.
          </Callout>
        )}
        {mayEdit && (
          <div className="flex justify-end gap-2">
            <Button variant="quiet" disabled={draft === null} onClick={() => setDraft(null)}>
              Discard
            </Button>
            <Button type="submit" variant="primary" disabled={draft === null || !isFit || isOvertaken} busy={save.isPending}>
              Save version
            </Button>
          </div>
        )}
      </PersonaEditor>
      </Form>
      <div className="pt-9">
        <Section title="Versions" description="Restoring one saves it as the newest; nothing is lost.">
          <VersionList persona={persona} mayEdit={mayEdit} isBusy={save.isPending} onRestore={(version) => save.mutate({ personaId: persona.id, baseVersion: persona.version, restoreVersion: version })} />
        </Section>
      </div>
    </>
  );
}
