import type { TeamPersona } from '@chirality/contracts';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { Form } from '../../../components/form/form';
import { Section } from '../../../components/ui/page';
import { ApiError } from '../../../lib/http/api-error';
import { useRestoreTeamPersona, useSaveTeamPersona } from '../persona.api';
import { PersonaEditor, readPersonaText } from './persona-editor';
import { VersionList } from './version-list';
import { FailureText } from '../../../components/text/failure-text';
import { unsavedWork } from '../../../lib/form/unsaved-work';
import { draftAfterRestore, draftAfterSave, type PersonaDraft } from '../persona-draft';

/** One persona to edit. Unsaved text survives another user's save, which is shown. */
export function TeamPersonaView({ persona, mayEdit }: { persona: TeamPersona; mayEdit: boolean }) {
  const [draft, setDraft] = useState<PersonaDraft | null>(null);
  const save = useSaveTeamPersona(persona.id, (saved, sent) =>
    setDraft((now) => draftAfterSave(now, sent.text, saved.version)),
  );
  const restore = useRestoreTeamPersona(persona.id, (givenUp) => setDraft((now) => draftAfterRestore(now, givenUp)));
  const failure = save.error ?? restore.error;
  const text = draft?.text ?? persona.text;
  const isFit = 'definition' in readPersonaText(persona.key, text);
  const isOvertaken = draft !== null && draft.baseVersion !== persona.version;
  const isBusy = save.isPending || restore.isPending;
  // While something is saved, the text before it is a change too.
  const isAsSaved = (next: string) => next === persona.text && !isOvertaken && !isBusy;
  const write = (next: string) =>
    setDraft(isAsSaved(next) ? null : { text: next, baseVersion: draft?.baseVersion ?? persona.version });
  const maySave = draft !== null && isFit && !isOvertaken && !restore.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft === null || isBusy) return;
    restore.reset();
    save.mutate(draft);
  };
  const restoreOlder = async (restoreVersion: number) => {
    if (!(await unsavedWork.mayLeave())) return;
    save.reset();
    restore.mutate({ baseVersion: persona.version, restoreVersion, givenUp: draft?.text ?? null });
  };
  return (
    <>
      <Form isChanged={draft !== null} hasFailed={save.isError} onSubmit={submit}>
        <PersonaEditor personaKey={persona.key} text={text} onText={write} isReadOnly={!mayEdit}>
          {failure !== null && !(failure instanceof ApiError && failure.code === 'CONFLICT') && (
            <Callout tone="bad" role="alert">
              <FailureText error={failure} />
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
              <Button variant="quiet" disabled={draft === null || isBusy} onClick={() => setDraft(null)}>
                Discard
              </Button>
              <Button type="submit" variant="primary" disabled={!maySave} busy={save.isPending}>
                Save version
              </Button>
            </div>
          )}
        </PersonaEditor>
      </Form>
      <div className="pt-9">
        <Section title="Versions" description="Restoring one saves it as the newest; nothing is lost.">
          <VersionList
            persona={persona}
            mayEdit={mayEdit}
            isBusy={isBusy}
            onRestore={(version) => void restoreOlder(version)}
          />
        </Section>
      </div>
    </>
  );
}
