import type { Project } from '@chirality/contracts';
import { ArrowUp } from 'lucide-react';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { useMedia } from '../../../lib/use-media';
import { useObservable } from '../../../lib/use-observable';
import { useUser } from '../../auth/hooks/use-user';
import { useDraft } from '../../composer/hooks/use-draft';
import { useBeginSession } from '../hooks/use-begin-session';
import { SAMPLE, standingChoice } from '../start-target';
import { PromptChips } from './prompt-chips';
import { FailureText } from '../../../components/ui/failure-text';

/** `projects`: the ready ones a session can be started in, the most likely first. With none, a sample project is offered. */
type Props = { projects: readonly Project[]; teamId?: string | undefined; offersSample?: boolean };

/** A first message starts a session: the field comes first, where it runs is beside it. */
export function StartBox({ projects, teamId, offersSample = false }: Props) {
  const me = useUser();
  const kept = useDraft(me.id, `start.${projects.length === 1 ? projects[0]?.id : 'any'}`);
  const draft = useObservable(kept.text);
  const [choice, setChoice] = useState(projects[0]?.id ?? SAMPLE);
  const chosen = standingChoice(choice, { projects, offersSample });
  // It stays while it is offered, whichever project is used meanwhile.
  if (chosen !== choice) setChoice(chosen);
  const isTouch = useMedia('(pointer: coarse)');
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const begin = useBeginSession(me.id, (message) => kept.used(message));
  const send = () => {
    if (draft.trim() === '' || begin.isPending) return;
    begin.mutate({ target: chosen === SAMPLE ? { sampleFor: teamId } : { projectId: chosen }, message: draft });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isTouch || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  };
  const choose = (message: string) => {
    kept.write(message);
    areaRef.current?.focus();
  };
  return (
    <form onSubmit={submit} aria-label="Start a session" className="stack gap-3 pb-9">
      <div className="rounded-xl border border-line-strong bg-surface shadow-card transition-colors focus-within:border-accent">
        <textarea
          ref={areaRef}
          dir="auto"
          rows={2}
          value={draft}
          onChange={(event) => kept.write(event.target.value)}
          onKeyDown={onKeyDown}
          aria-label="First message"
          placeholder="What should Claude do?"
          className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 text-read outline-none pointer-coarse:text-base"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          {(projects.length > 1 || offersSample) && (
            <select
              aria-label="Project"
              value={chosen}
              onChange={(event) => setChoice(event.target.value)}
              className="h-9 max-w-60 min-w-0 flex-1 truncate rounded-md border border-transparent bg-transparent px-2 text-sm text-muted hover:bg-hover hover:text-text pointer-coarse:h-11"
            >
              {projects.map((project) => (
                <option key={project.id} value={project.id}>
                  {project.name}
                </option>
              ))}
              {offersSample && <option value={SAMPLE}>Sample project</option>}
            </select>
          )}
          <Button type="submit" variant="primary" className="ms-auto" busy={begin.isPending} disabled={draft.trim() === ''} icon={<ArrowUp size={16} />}>
            Start session
          </Button>
        </div>
      </div>
      {begin.isError && (
        <Callout tone="bad" role="alert">
          <FailureText error={begin.error} />
        </Callout>
      )}
      <PromptChips onChoose={choose} />
    </form>
  );
}
