import type { OutputSchema, PermissionMode, Role, Session, User } from '@chirality/contracts';
import type { TranscriptState, TurnView } from '@chirality/domain';
import { useCallback, useEffect, useMemo } from 'react';
import { UntrustedText } from '../../components/text/untrusted-text';
import { formatTime } from '../../lib/format/time';
import { composerOpened } from '../../lib/keyboard/focus-composer';
import { useEscape } from '../../lib/keyboard/use-escape';
import { AttachButtons } from '../../features/attachment/attach-buttons';
import { AttachedChips } from '../../features/attachment/attached-chips';
import { FileDrop } from '../../features/attachment/file-drop';
import { attachedProblem } from '../../lib/attachment/attached-file';
import type { AttachedFiles } from '../../lib/attachment/attached-files';
import { focusComposer } from '../../lib/keyboard/focus-composer';
import { useObservable } from '../../lib/state/use-observable';
import { useTeam } from '../../features/access/hooks/use-team';
import { ArchivedNote } from '../../features/session/components/archived-note';
import { TypingLine } from '../../features/session/components/presence';
import type { Earlier } from '../../lib/transcript/earlier';
import { useReading } from '../../features/transcript/reading-context';
import type { TranscriptStore } from '../../lib/transcript/transcript-store';
import type { Draft } from '../../lib/message/draft';
import { useStop } from '../../features/composer/hooks/use-stop';
import { useTyping } from '../../features/composer/hooks/use-typing';
import { ownMessages } from '../../features/composer/message-history';
import type { OutboxEntry, WhenBusy } from '../../lib/message/outbox';
import { SchemaButton, SchemaChip } from '../../features/composer/components/schema-button';
import { Composer } from '../../features/composer/components/composer';

type Props = {
  session: Session;
  title: string;
  store: TranscriptStore;
  state: TranscriptState;
  earlier: Earlier;
  me: User;
  active: TurnView | null;
  pending: readonly OutboxEntry[];
  draft: Draft;
  files: AttachedFiles;
  onSend: (whenBusy: WhenBusy) => void;
  mode: PermissionMode | null;
  onMode: (mode: PermissionMode | null) => void;
  schema: OutputSchema | null;
  onSchema: (schema: OutputSchema | null) => void;
  mayWrite: boolean;
  isArchived: boolean;
};

/** A viewer may write nowhere, whatever a session's owner does. */
function readOnlyReason(role: Role | undefined): string {
  return role === 'viewer'
    ? 'You have the Viewer role, which can read sessions. Ask an admin of the team to change your role.'
    : 'You can read this session. Ask its owner to share it for writing.';
}

/** The message field with who types above it, and whose turn it is that runs. */
export function ComposerDock({
  session,
  title,
  store,
  state,
  earlier,
  me,
  active,
  pending,
  draft,
  files,
  onSend,
  mode,
  onMode,
  schema,
  onSchema,
  mayWrite,
  isArchived,
}: Props) {
  const stop = useStop(session.id, title, active?.id ?? null);
  const { typed, stopped } = useTyping(session.id);
  const { nameOf } = useReading();
  const items = useObservable(files.items);
  const attach = useCallback(
    (chosen: File[]) => {
      files.add(chosen);
      focusComposer();
    },
    [files],
  );
  const removeSchema = () => {
    onSchema(null);
    focusComposer();
  };
  const { turns } = state;
  const history = useMemo(() => ownMessages({ turns }, me.id), [turns, me.id]);
  useEscape(mayWrite && active !== null && stop.stage === null ? stop.ask : null);
  useEffect(composerOpened, []);
  const isOthers = active !== null && active.authorId !== me.id;
  const role = useTeam(session.teamId)?.role;
  if (isArchived) return <ArchivedNote session={session} title={title} />;
  if (!mayWrite)
    return <p className="mb-1 rounded-lg bg-sunken px-4 py-3 text-center text-sm text-muted">{readOnlyReason(role)}</p>;
  return (
    <>
      <div className="flex items-center justify-between gap-3">
        <TypingLine store={store} myId={me.id} />
        {stop.failure !== null && (
          <p role="alert" className="truncate text-xs text-bad">
            {stop.failure}
          </p>
        )}
        {isOthers && (
          <p className="truncate text-xs text-faint">
            <UntrustedText text={active.authorName ?? nameOf(active.authorId)} mode="prose" />
            ’s turn has been running since {formatTime(active.startedAt ?? active.queuedAt)}
          </p>
        )}
      </div>
      <FileDrop onFiles={attach} />
      <Composer
        draft={draft}
        attached={{
          chips: (
            <>
              {schema !== null && <SchemaChip onRemove={removeSchema} />}
              <AttachedChips sessionId={session.id} files={files} items={items} onDone={focusComposer} />
            </>
          ),
          buttons: (
            <>
              <AttachButtons onFiles={attach} />
              <SchemaButton schema={schema} onSchema={onSchema} />
            </>
          ),
          isSome: items.length > 0,
          isUploading: items.some(({ status }) => status === 'sending'),
          problem: attachedProblem(items),
        }}
        onFiles={attach}
        onTyped={typed}
        onSend={(whenBusy) => {
          stopped();
          onSend(whenBusy);
        }}
        history={history}
        onHistoryEnd={earlier.load}
        active={active}
        isSending={pending.some((entry) => entry.status !== 'refused')}
        stop={stop}
        mode={mode}
        onMode={onMode}
        placeholder={active === null ? 'Message Claude…' : 'Write your next message…'}
      />
    </>
  );
}
