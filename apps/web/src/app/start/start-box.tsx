import type { Project, Session } from '@chirality/contracts';
import { ArrowUp } from 'lucide-react';
import { useCallback, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { isSendKey } from '../../lib/keyboard/send-key';
import { AttachButtons } from '../../features/attachment/attach-buttons';
import { AttachedChips } from '../../features/attachment/attached-chips';
import { FileDrop } from '../../features/attachment/file-drop';
import { attachedProblem } from '../../lib/attachment/attached-file';
import { useHeldFiles } from '../../lib/attachment/use-held-files';
import { useUser } from '../../features/access/hooks/use-user';
import { MessageField } from '../../features/composer/components/message-field';
import { useDraft } from '../../lib/message/use-draft';
import { useWords } from '../../features/composer/hooks/use-words';
import { messageOf } from '../../lib/message/pasted-text';
import { useBeginSession } from './use-begin-session';
import { SAMPLE, standingChoice } from './start-target';
import { writeExample } from './write-example';
import { InlineSelect } from './inline-select';
import { PromptChips } from './prompt-chips';
import { StartModel } from './start-model';
import { StartWorkspace } from './start-workspace';
import { FailureText } from '../../components/text/failure-text';

type Props = {
  /** The ready ones a session can be started in, the most likely first. With none, a sample project is offered. */
  projects: readonly Project[];
  /** The team's others, which are not archived. */
  unready?: readonly Project[];
  teamId?: string | undefined;
  offersSample?: boolean;
};

/** A first message starts a session: the field comes first, where it runs is beside it. */
export function StartBox({ projects, unready = [], teamId, offersSample = false }: Props) {
  const me = useUser();
  const place = `start.${projects.length === 1 ? projects[0]?.id : 'any'}`;
  const draft = useDraft(me.id, place);
  const { words, isBlank: isWordless, problem } = useWords(draft);
  const { files, items } = useHeldFiles(me.id, place);
  const filesProblem = attachedProblem(items);
  const isBlank = isWordless && items.length === 0;
  const [choice, setChoice] = useState({ id: projects[0]?.id ?? SAMPLE, name: projects[0]?.name, isPicked: false });
  const isMeant = choice.isPicked || !isBlank;
  const chosen = standingChoice(choice.id, { projects, offersSample }, isMeant);
  const choose = (id: string, isPicked: boolean) =>
    setChoice({ id, name: projects.find((project) => project.id === id)?.name, isPicked });
  // It stays while it is offered, whichever project is used meanwhile.
  if (chosen !== null && chosen !== choice.id) choose(chosen, false);
  const [model, setModel] = useState('');
  const [workspace, setWorkspace] = useState<Session['workspace']>('own');
  const lossId = useId();
  const isUnready = unready.some(({ id }) => id === choice.id);
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const begin = useBeginSession(me.id, files, (message) => draft.used(message));
  const isPreparing = items.some(({ status }) => status === 'sending');
  const isFit = !isBlank && problem === null && filesProblem === null && !isPreparing && chosen !== null;
  const send = () => {
    if (!isFit || begin.isPending) return;
    const target = chosen === SAMPLE ? { sampleFor: teamId } : { projectId: chosen };
    begin.mutate({ target, model, workspace, ...messageOf(words) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    send();
  };
  const chooseModel = (chosenModel: string) => {
    begin.reset();
    setModel(chosenModel);
  };
  const chooseMessage = (message: string) => {
    writeExample(draft, message);
    areaRef.current?.focus();
  };
  const attach = useCallback(
    (picked: File[]) => {
      files.add(picked);
      focusField(areaRef.current);
    },
    [files],
  );
  return (
    <form onSubmit={submit} aria-label="Start a session" className="relative stack gap-3 pb-9">
      <FileDrop onFiles={attach} />
      <div className="rounded-xl border border-line-strong bg-surface shadow-card transition-colors focus-within:border-accent">
        <MessageField
          draft={draft}
          words={words}
          problem={problem}
          areaRef={areaRef}
          label="First message"
          placeholder="What should Claude do?"
          rows={2}
          onKeyDown={onKeyDown}
          onFiles={attach}
        />
        <AttachedChips sessionId={null} files={files} items={items} onDone={() => focusField(areaRef.current)} />
        {filesProblem !== null && (
          <p role="alert" className="px-4 pb-1 text-sm text-bad">
            {filesProblem}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 px-2 pb-2">
          <AttachButtons onFiles={attach} />
          {(projects.length > 1 || offersSample || chosen === null) && (
            <InlineSelect
              aria-label="Project"
              value={chosen ?? ''}
              aria-invalid={chosen === null}
              aria-describedby={chosen === null ? lossId : undefined}
              onChange={({ target }) => {
                begin.reset();
                choose(target.value, true);
              }}
            >
              {chosen === null && (
                <option value="" disabled>
                  Choose a project
                </option>
              )}
              {projects.map((project) => (
                <option key={project.id} value={project.id}>
                  {project.name}
                </option>
              ))}
              {offersSample && <option value={SAMPLE}>Sample project</option>}
            </InlineSelect>
          )}
          <StartModel value={model} onChange={chooseModel} />
          <StartWorkspace
            value={workspace}
            onChange={(chosenFiles) => {
              begin.reset();
              setWorkspace(chosenFiles);
            }}
          />
          <Button
            type="submit"
            variant="primary"
            className="ms-auto"
            busy={begin.isPending}
            disabled={!isFit}
            icon={<ArrowUp size={16} />}
          >
            Start session
          </Button>
        </div>
      </div>
      {chosen === null && (
        <Callout tone="warn" role="alert">
          <span id={lossId}>
            “{choice.name}” {isUnready ? 'is not ready' : 'is archived'}. Choose another project to start the session
            in.
          </span>
        </Callout>
      )}
      {begin.isError && chosen !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={begin.error} />
          {items.length > 0 && ' Nothing was sent: your message and its files are still here.'}
        </Callout>
      )}
      <PromptChips onChoose={chooseMessage} />
    </form>
  );
}

/** Not where that would bring up a keyboard on the screen. */
function focusField(area: HTMLTextAreaElement | null): void {
  if (!window.matchMedia('(pointer: coarse)').matches) area?.focus();
}
