import type { Project, Session, SessionStatus } from '@chirality/contracts';
import type { TranscriptState } from '@chirality/domain';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, PanelRight } from 'lucide-react';
import type { RefObject } from 'react';
import { classNames } from '../../components/class-names';
import { IconButton } from '../../components/ui/icon-button';
import { NameText } from '../../components/text/untrusted-text';
import { useIsPhone } from '../../lib/page/use-media';
import { UnpushedWork } from '../../features/files/changes/unpushed-work';
import { TurnIndex } from '../../features/transcript/view/turn-index';
import type { TranscriptHandle } from '../../features/transcript/view/transcript-view';
import type { Earlier } from '../../lib/transcript/earlier';
import type { TranscriptStore } from '../../lib/transcript/transcript-store';
import { PullRequestLink } from '../../features/pull-request/components/pull-request-link';
import type { SharedWorkspace } from '../../features/session/hooks/use-shared-workspace';
import { SharedWorkspaceLink } from '../../features/session/components/shared-workspace-link';
import { Presence } from '../../features/session/components/presence';
import { SessionDot } from '../../features/session/components/session-dot';
import { SessionMenu } from '../../features/session/components/session-menu';
import { HARNESS_NAMES } from '../../features/session/session-names';
import { SessionStatusBadge } from '../../features/session/components/session-status';

type Props = {
  session: Session;
  title: string;
  project: Project | null;
  status: SessionStatus;
  state: TranscriptState;
  store: TranscriptStore;
  earlier: Earlier;
  myId: string;
  mayWrite: boolean;
  mayAnswer: boolean;
  reader: RefObject<TranscriptHandle | null>;
  isPanelOpen: boolean;
  onPanel: () => void;
  /** The files that it shares with other sessions. */ shared: SharedWorkspace | null;
  /** Shows the changes, from where they are pushed. */ onChanges: () => void;
};

export function SessionHeader({
  session,
  title,
  project,
  status,
  state,
  store,
  earlier,
  myId,
  mayWrite,
  mayAnswer,
  reader,
  isPanelOpen,
  onPanel,
  shared,
  onChanges,
}: Props) {
  const isPhone = useIsPhone();
  return (
    <header className="flex h-13 shrink-0 items-center gap-2 border-b border-line px-3 phone:px-4">
      {isPhone && (
        <Link
          to="/projects/$projectId"
          params={{ projectId: session.projectId }}
          aria-label="Back to the project"
          className="-ms-1.5 flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover"
        >
          <ArrowLeft size={19} />
        </Link>
      )}
      <div className="min-w-0 flex-1">
        <h1 className="flex min-w-0 items-baseline gap-1.5">
          {!isPhone && project !== null && (
            <>
              <Link
                to="/projects/$projectId"
                params={{ projectId: project.id }}
                className="max-w-[50%] min-w-0 shrink-0 truncate rounded-sm text-muted hover:text-text"
              >
                <NameText text={project.name} />
              </Link>
              <span aria-hidden="true" className="text-faint">
                /
              </span>
            </>
          )}
          <NameText text={title} className="min-w-0 truncate font-semibold" />
          {!isPhone && session.harness !== 'claude-code' && (
            <span className="shrink-0 text-xs text-faint">{HARNESS_NAMES[session.harness]}</span>
          )}
        </h1>
      </div>
      {isPhone ? <SessionDot status={status} /> : <SessionStatusBadge status={status} mayAnswer={mayAnswer} />}
      {shared !== null && <SharedWorkspaceLink sessionId={session.id} workspace={shared.workspace} />}
      {project?.source.kind === 'git' && <PullRequestLink sessionId={session.id} />}
      <Presence store={store} myId={myId} />
      <div className="flex items-center">
        <TurnIndex
          state={state}
          earlier={earlier}
          onStart={() => reader.current?.toStart()}
          onRow={(key) => reader.current?.toRow(key)}
        />
        <IconButton
          label={isPanelOpen ? 'Hide files and changes' : 'Files and changes'}
          aria-pressed={isPanelOpen}
          onClick={onPanel}
          className={classNames(isPanelOpen && 'bg-pressed text-text')}
        >
          <PanelRight size={17} />
        </IconButton>
        <SessionMenu
          session={session}
          title={title}
          mayWrite={mayWrite}
          isRunning={status === 'running' || status === 'waiting'}
          unpushed={(close) => (
            <UnpushedWork
              sessionId={session.id}
              onPush={project?.source.kind === 'git' && mayAnswer ? () => (close(), onChanges()) : null}
            />
          )}
        />
      </div>
    </header>
  );
}
