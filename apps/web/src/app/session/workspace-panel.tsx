import type { Session } from '@chirality/contracts';
import type { TranscriptState } from '@chirality/domain';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useDeferredValue, useMemo } from 'react';
import { SharedChangesNote } from '../../features/session/components/shared-changes-note';
import type { SharedWorkspace } from '../../features/session/hooks/use-shared-workspace';
import { IconButton } from '../../components/ui/icon-button';
import type { Earlier } from '../../lib/transcript/earlier';
import { PromptTab } from './prompt-tab';
import { PullRequestTab } from '../../features/pull-request/components/pull-request-tab';
import { workspaceRevision } from '../../features/files/changes/workspace-revision';
import { ChangesTab } from '../../features/files/changes/changes-tab';
import { SessionRemote } from '../../features/files/changes/session-remote';
import { FilesTab } from '../../features/files/browser/files-tab';
import type { WantedFile } from '../../features/files/view/mentioned-file';
import type { FullWidth } from './side-panel';
import { TasksTab } from '../../features/transcript/view/tasks-tab';
import { TerminalTab } from '../../features/transcript/view/terminal-tab';

export type PanelTab = 'files' | 'changes' | 'pull-request' | 'terminal' | 'tasks' | 'prompt';

const TABS: { value: PanelTab; label: string }[] = [
  { value: 'files', label: 'Files' },
  { value: 'changes', label: 'Changes' },
  { value: 'pull-request', label: 'Pull request' },
  { value: 'terminal', label: 'Commands' },
  { value: 'tasks', label: 'Tasks' },
  { value: 'prompt', label: 'Prompt' },
];

type Props = {
  session: Session;
  state: TranscriptState;
  earlier: Earlier;
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  onClose: () => void;
  mayWrite: boolean;
  /** Whether its files come from a git host. */ hasHost: boolean;
  /** The files that it shares with other sessions. */ shared: SharedWorkspace | null;
  /** A file that was asked for in the conversation: each time it is another object. */
  wanted: { file: WantedFile; times: number } | null;
  /** Puts a message into the composer, for the person to send. */
  onWrite: (message: string) => void;
  /** Where the panel can take the whole width. */ full?: FullWidth;
};

/** What the session works on, beside what is said about it. */
export function WorkspacePanel({
  session,
  state,
  earlier,
  tab,
  onTab,
  onClose,
  mayWrite,
  hasHost,
  shared,
  wanted,
  onWrite,
  full,
}: Props) {
  const sessionId = session.id;
  const settled = useDeferredValue(state);
  const ownRevision = useMemo(() => workspaceRevision(settled), [settled]);
  const revision = shared === null ? ownRevision : `${ownRevision}/${shared.revision}`;
  const isRunning = state.activeTurnId !== null || (shared !== null && shared.useByOther !== null);
  return (
    <Tabs.Root value={tab} onValueChange={(value) => onTab(value as PanelTab)} className="flex h-full min-w-0 flex-col">
      <div className="flex h-13 shrink-0 items-center gap-1 border-b border-line ps-2 pe-2">
        <Tabs.List aria-label="Workspace" className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto">
          {TABS.filter(({ value }) => hasHost || value !== 'pull-request').map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="rounded-md px-2.5 py-1.5 text-sm whitespace-nowrap max-phone:px-2 font-medium text-muted transition-colors hover:text-text data-[state=active]:bg-pressed data-[state=active]:text-text pointer-coarse:py-2.5"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {full !== undefined && (
          <IconButton
            label={full.isFull ? 'Show the conversation' : 'Use the full width'}
            aria-pressed={full.isFull}
            onClick={full.toggle}
          >
            {full.isFull ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          </IconButton>
        )}
        <IconButton label="Close the panel" onClick={onClose}>
          <X size={17} />
        </IconButton>
      </div>
      <Tabs.Content value="files" className="min-h-0 flex-1 overflow-hidden outline-none">
        <FilesTab
          key={wanted?.times ?? 0}
          sessionId={sessionId}
          revision={revision}
          mayWrite={mayWrite}
          wanted={wanted?.file ?? null}
        />
      </Tabs.Content>
      <Tabs.Content value="changes" className="min-h-0 flex-1 overflow-y-auto outline-none">
        <SharedChangesNote isShared={shared !== null} />
        <SessionRemote
          sessionId={sessionId}
          revision={revision}
          mayWrite={mayWrite}
          isRunning={isRunning}
          onWrite={onWrite}
        />
        <ChangesTab
          sessionId={sessionId}
          sessionTitle={session.title}
          revision={revision}
          mayCommit={mayWrite}
          isRunning={isRunning}
        />
      </Tabs.Content>
      {hasHost && (
        <Tabs.Content value="pull-request" className="min-h-0 flex-1 overflow-y-auto outline-none">
          <PullRequestTab
            sessionId={sessionId}
            sessionTitle={session.title}
            prompts={state.turns.flatMap(({ kind, message }) =>
              kind === 'message' && message !== null ? [message] : [],
            )}
            mayWrite={mayWrite}
            isRunning={isRunning}
          />
        </Tabs.Content>
      )}
      <Tabs.Content value="terminal" className="min-h-0 flex-1 overflow-hidden outline-none">
        <TerminalTab state={settled} earlier={earlier} />
      </Tabs.Content>
      <Tabs.Content value="tasks" className="min-h-0 flex-1 overflow-y-auto outline-none">
        <TasksTab items={state.todos} />
      </Tabs.Content>
      <Tabs.Content value="prompt" className="min-h-0 flex-1 overflow-y-auto outline-none">
        <PromptTab session={session} revision={revision} mayWrite={mayWrite} />
      </Tabs.Content>
    </Tabs.Root>
  );
}
