import type { PermissionMode, Role, Session, User } from '@chirality/contracts';
import type { TurnView } from '@chirality/domain';
import { formatTime } from '../../../lib/format/time';
import { useTeam } from '../../team/hooks/use-team';
import { TypingLine } from '../../session/components/presence';
import { useReading } from '../../transcript/reading-context';
import type { TranscriptStore } from '../../transcript/transcript-store';
import { useStop } from '../hooks/use-stop';
import { useTyping } from '../hooks/use-typing';
import type { OutboxEntry } from '../outbox';
import { Composer } from './composer';

type Props = {
  session: Session;
  store: TranscriptStore;
  me: User;
  active: TurnView | null;
  pending: readonly OutboxEntry[];
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  mode: PermissionMode | null;
  onMode: (mode: PermissionMode | null) => void;
  mayWrite: boolean;
  isArchived: boolean;
};

/** A viewer may write nowhere, whatever a session's owner does. */
function readOnlyReason(role: Role | undefined): string {
  return role === 'viewer' ? 'You have the Viewer role, which can read sessions. Ask an admin of the team to change your role.' : 'You can read this session. Ask its owner to share it for writing.';
}

/** The message field with who types above it, and whose turn it is that runs. */
export function ComposerDock({ session, store, me, active, pending, text, onText, onSend, mode, onMode, mayWrite, isArchived }: Props) {
  const stop = useStop(session.id, active?.id ?? null);
  const noteTyping = useTyping(session.id);
  const { nameOf } = useReading();
  const isOthers = active !== null && active.authorId !== me.id;
  const role = useTeam(session.teamId)?.role;
  if (!mayWrite) return <p className="mb-1 rounded-lg bg-sunken px-4 py-3 text-center text-sm text-muted">{isArchived ? 'This session is archived. It can be read, not continued.' : readOnlyReason(role)}</p>;
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
            {active.authorName ?? nameOf(active.authorId)}’s turn runs since {formatTime(active.startedAt ?? active.queuedAt)}
          </p>
        )}
      </div>
      <Composer
        text={text}
        onText={(next) => {
          onText(next);
          if (next !== '') noteTyping();
        }}
        onSend={onSend}
        active={active}
        isSending={pending.some((entry) => entry.status !== 'refused')}
        stop={stop}
        mode={mode}
        onMode={onMode}
        placeholder={active === null ? 'Say what should be done' : 'Write the next message meanwhile'}
        disabled={false}
      />
    </>
  );
}
