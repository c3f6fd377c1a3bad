import type { Attachment, OutputSchema, Session, User } from '@chirality/contracts';
import { activeTurnOf } from '@chirality/domain';
import { useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { Callout } from '../../components/ui/callout';
import { EmptyState } from '../../components/ui/empty-state';
import { FailureText } from '../../components/text/failure-text';
import { Sheet } from '../../components/overlay/sheet';
import { SkeletonRows } from '../../components/ui/skeleton';
import { useIsPhone, useMedia } from '../../lib/page/use-media';
import { useStoredFlag } from '../../lib/state/use-stored';
import { useTitle } from '../../lib/page/use-title';
import { ComposerDock } from './composer-dock';
import { PendingMessages } from './pending-messages';
import { useAttachedFiles } from '../../lib/attachment/use-attached-files';
import { useDraft } from '../../lib/message/use-draft';
import { useMessageSchema } from '../../features/composer/hooks/use-message-schema';
import { useMessageMode } from '../../features/composer/hooks/use-message-mode';
import { usePending } from '../../features/composer/hooks/use-outbox';
import type { WhenBusy } from '../../lib/message/outbox';
import { messageOf, type Fold } from '../../lib/message/pasted-text';
import { SidePanel } from './side-panel';
import { WorkspacePanel, type PanelTab } from './workspace-panel';
import { AutoApproveBanner } from '../../features/permission/rule/auto-approve-banner';
import { PermissionDock } from '../../features/permission/request/permission-dock';
import { useOpenRequests } from '../../features/permission/request/use-open-requests';
import { PromptChips } from '../start/prompt-chips';
import { writeExample } from '../start/write-example';
import { projectQuery } from '../../features/project/project.api';
import { useMemberName } from '../../features/access/hooks/use-member-name';
import { useMayWrite } from '../../features/access/hooks/use-team';
import { Announcer } from '../../features/transcript/view/announcer';
import { OpenCallDock } from '../../features/transcript/tool/open-call-dock';
import { TranscriptView, type TranscriptHandle } from '../../features/transcript/view/transcript-view';
import { useTranscript, useTranscriptStore } from '../../lib/transcript/use-transcript';
import { earlierOf } from '../../lib/transcript/earlier';
import { FileLinks } from '../../components/markdown/file-links';
import { useMoment } from './use-moment';
import { useWantedFile } from './use-wanted-file';
import { OpenRows } from '../../features/transcript/open-rows';
import { ReadingContext } from '../../features/transcript/reading-context';
import { useSharedWorkspace } from '../../features/session/hooks/use-shared-workspace';
import { WorkspaceInUseNote } from '../../features/session/components/workspace-in-use-note';
import { useSessionFacts } from '../../features/session/hooks/use-session-facts';
import { OwnNotices } from '../../features/session/components/notice-list';
import { AgentNote } from '../../features/session/components/agent-note';
import { UnstoredNote } from '../../features/session/components/unstored-note';
import { QueueList } from '../../features/queue-item/components/queue-list';
import { useSessionQueue } from '../../features/queue-item/use-session-queue';
import { SessionHeader } from './session-header';
import { StatusBar } from './status-bar';

/** There is no event when an admin changes what is asked about here. */
const PROJECT_AGAIN_MS = 15_000;

/** One session: what was said, what is asked, what is written, and what it works on. */
export function SessionView({ session, me }: { session: Session; me: User }) {
  const store = useTranscriptStore(session.id);
  const snapshot = useTranscript(store);
  const { state, phase, refusal, loadError } = snapshot;
  const earlier = earlierOf(store, snapshot);
  const { title, status } = useSessionFacts(session, state);
  const shared = useSharedWorkspace(session);
  const project = useQuery({ ...projectQuery(session.projectId), refetchInterval: PROJECT_AGAIN_MS }).data ?? null;
  const requests = useOpenRequests(session.id, state);
  const nameOf = useMemberName(session.teamId);
  const worksInTeam = useMayWrite(session.teamId);
  // Until the project is here, what the team's role says counts where that decides.
  const isMember = project === null ? worksInTeam && session.projectVisibility === 'team' : project.role !== 'read';
  const mayWrite = isMember && (session.ownerId === me.id || session.visibility === 'project') && status !== 'archived';
  const draft = useDraft(me.id, session.id);
  const files = useAttachedFiles(me.id, session.id);
  const [mode, setMode] = useMessageMode(state);
  const [schema, setSchema] = useMessageSchema(me.id, session.id);
  const { outbox, pending } = usePending(session.id, state, me.id);
  const reader = useRef<TranscriptHandle>(null);
  const moment = useMoment();
  const [openRows] = useState(() => new OpenRows());
  const isPhone = useIsPhone();
  const isRoomy = useMedia('(min-width: 70rem)');
  const [isPanelWanted, setPanelWanted] = useStoredFlag('panel-open', false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [tab, setTab] = useState<PanelTab>('files');
  const composerRef = useRef<HTMLDivElement>(null);
  useTitle(status === 'waiting' ? `● ${title}` : title);

  const isBeside = !isPhone && isRoomy;
  const isPanelOpen = isBeside ? isPanelWanted : isSheetOpen;
  const openPanel = isBeside ? setPanelWanted : setSheetOpen;
  const active = activeTurnOf(state);
  const queue = useSessionQueue(session.id, state);

  const showChanges = useCallback(() => {
    setTab('changes');
    openPanel(true);
  }, [openPanel]);
  const showFiles = useCallback(() => {
    setTab('files');
    openPanel(true);
  }, [openPanel]);
  const { wanted, fileLinks } = useWantedFile(state.init?.cwd ?? null, showFiles);
  const writeAgain = useCallback(
    (
      message: string,
      attachments: readonly Attachment[],
      outputSchema: OutputSchema | null = null,
      folds?: readonly Fold[],
    ) => {
      draft.giveBack(message, folds);
      files.giveBack(attachments);
      if (outputSchema !== null) setSchema(outputSchema);
      composerRef.current?.querySelector('textarea')?.focus();
    },
    [draft, files, setSchema],
  );
  const chooseExample = (message: string) => {
    writeExample(draft, message);
    composerRef.current?.querySelector('textarea')?.focus();
  };
  const reading = useMemo(
    () => ({
      sessionId: session.id,
      openRows,
      cwd: state.init?.cwd ?? null,
      nameOf,
      myId: me.id,
      showChanges,
      writeAgain: mayWrite ? writeAgain : null,
    }),
    [session.id, openRows, state.init?.cwd, nameOf, me.id, showChanges, mayWrite, writeAgain],
  );

  const send = (whenBusy: WhenBusy) => {
    const { message, folds } = messageOf(draft.words);
    const options = mode === null ? {} : { permissionMode: mode };
    outbox.add(session.id, message, options, folds, files.take(), schema, whenBusy);
    setSchema(null);
    draft.sent();
    // Both may not have had room in the browser's store at once.
    outbox.keep();
  };
  const write = (message: string) => {
    if (!isBeside) openPanel(false);
    writeAgain(message, []);
  };
  const panelProps = {
    ...{ session, state, earlier, tab, mayWrite, wanted },
    hasHost: project?.source.kind === 'git',
    shared,
    onTab: setTab,
    onClose: () => openPanel(false),
    onWrite: write,
  };
  const isEmpty = state.turns.every(({ kind }) => kind === 'system') && pending.length === 0;

  return (
    <ReadingContext value={reading}>
      <div className="relative flex h-full">
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col">
          <SessionHeader
            session={session}
            title={title}
            project={project}
            status={status}
            state={state}
            store={store}
            earlier={earlier}
            myId={me.id}
            mayWrite={isMember}
            mayAnswer={mayWrite}
            reader={reader}
            isPanelOpen={isPanelOpen}
            onPanel={() => openPanel(!isPanelOpen)}
            shared={shared}
            onChanges={showChanges}
          />
          <AutoApproveBanner project={project} />
          {phase === 'refused' && (
            <div className="column flex-1 pt-10">
              <Callout tone="bad" role="alert" title="This session cannot be shown">
                {refusal?.detail}
              </Callout>
            </div>
          )}
          {phase === 'loading' && (
            <div className="column min-h-0 flex-1 overflow-hidden pt-8">
              {loadError !== null && (
                <Callout tone="warn" role="status" title="The conversation could not be loaded" className="mb-6">
                  <FailureText error={loadError} /> Trying again…
                </Callout>
              )}
              <SkeletonRows count={5} className="h-20 rounded-lg" />
            </div>
          )}
          {phase === 'ready' && isEmpty && (
            <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto">
              {session.baseNotice !== null && (
                <div className="column">
                  <Callout tone="warn" role="status" title="This session starts from files that may be older">
                    {session.baseNotice.detail}
                  </Callout>
                </div>
              )}
              <EmptyState
                icon={<MessageSquareText size={22} />}
                title={status !== 'archived' ? 'What should Claude do?' : 'No messages yet'}
                action={mayWrite && <PromptChips onChoose={chooseExample} />}
              >
                {status !== 'archived'
                  ? `Describe it in your own words. Claude reads and edits files in ${session.workspace === 'shared' ? 'the shared workspace' : 'this session’s copy'} of ${project?.name ?? 'the project'}, and asks you before it runs commands.`
                  : 'What people ask of Claude here, and its answers, appear on this page.'}
              </EmptyState>
            </div>
          )}
          {phase === 'ready' && !isEmpty && (
            <FileLinks value={fileLinks}>
              <TranscriptView
                handle={reader}
                moment={moment}
                state={state}
                earlier={earlier}
                tailKey={pending.at(-1)?.key ?? ''}
                tail={
                  pending.length === 0 ? null : (
                    <PendingMessages
                      entries={pending}
                      isBusy={active !== null}
                      isWorkspaceInUse={shared !== null && shared.useByOther !== null}
                      me={me}
                      onEdit={(entry) => {
                        outbox.discard(entry.key);
                        writeAgain(entry.message, entry.attachments, entry.outputSchema, entry.folds);
                      }}
                      onAgain={(entry) => outbox.sendAgain(entry.key)}
                      onDiscard={(entry) => outbox.discard(entry.key)}
                    />
                  )
                }
              />
            </FileLinks>
          )}
          <Announcer state={state} />
          <OpenCallDock
            sessionId={session.id}
            state={state}
            isShown={phase === 'ready' && mayWrite && active === null && requests.open.length === 0}
          />
          <OwnNotices sessionId={session.id} />
          <PermissionDock
            sessionId={session.id}
            title={title}
            myId={me.id}
            state={state}
            open={requests.open}
            isLive={requests.isLive}
            mayAnswer={mayWrite}
          />
          <div ref={composerRef} className="column shrink-0 pb-[max(0.25rem,env(safe-area-inset-bottom))]">
            {status !== 'archived' && <WorkspaceInUseNote use={shared?.useByOther ?? null} />}
            <AgentNote startedBy={session.startedBy} />
            <UnstoredNote unstored={session.unstored} />
            <QueueList
              sessionId={session.id}
              queue={queue}
              myId={me.id}
              mayWrite={mayWrite}
              manages={session.ownerId === me.id || project?.role === 'manage'}
              isTurnActive={active !== null}
            />
            <ComposerDock
              session={session}
              title={title}
              store={store}
              state={state}
              earlier={earlier}
              me={me}
              active={active}
              pending={pending}
              draft={draft}
              files={files}
              onSend={send}
              mode={mode}
              onMode={setMode}
              schema={schema}
              onSchema={setSchema}
              mayWrite={mayWrite}
              isArchived={status === 'archived'}
            />
            <StatusBar session={session} state={state} mode={mode} mayWrite={mayWrite} />
          </div>
        </main>
        {isBeside && isPanelOpen && <SidePanel>{(full) => <WorkspacePanel {...panelProps} full={full} />}</SidePanel>}
      </div>
      {!isBeside && (
        <Sheet open={isSheetOpen} onOpenChange={setSheetOpen} title="Workspace" side="bottom">
          <WorkspacePanel {...panelProps} />
        </Sheet>
      )}
    </ReadingContext>
  );
}
