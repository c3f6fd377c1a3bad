import type { PermissionMode } from '@chirality/contracts';
import type { TurnView } from '@chirality/domain';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { isSendKey } from '../../../lib/keyboard/send-key';
import type { Draft } from '../../../lib/message/draft';
import type { WhenBusy } from '../../../lib/message/outbox';
import type { Stop } from '../hooks/use-stop';
import { useWords } from '../hooks/use-words';
import { recalled } from '../message-history';
import { messageOf } from '../../../lib/message/pasted-text';
import { MessageField } from './message-field';
import { ModeSelect } from './mode-select';
import { SendOrStop } from './send-or-stop';

type Props = {
  draft: Draft;
  /** The files of the message, and what they look like. */
  attached: { chips: ReactNode; buttons: ReactNode; isSome: boolean; isUploading: boolean; problem: string | null };
  onFiles: (files: File[]) => void;
  onTyped: () => void;
  onSend: (whenBusy: WhenBusy) => void;
  /** The person's own messages, the latest first. */
  history: readonly string[];
  /** The oldest of them is shown, and an older one was asked for. */
  onHistoryEnd: () => void;
  active: TurnView | null;
  /** A message is on its way and its turn is not seen yet. */
  isSending: boolean;
  stop: Stop;
  mode: PermissionMode | null;
  onMode: (mode: PermissionMode | null) => void;
  placeholder: string;
};

/** Where a message is written. Enter sends and Shift+Enter begins a line; where fingers type, Enter begins a line. */
export function Composer({
  draft,
  attached,
  onFiles,
  onTyped,
  onSend,
  history,
  onHistoryEnd,
  active,
  isSending,
  stop,
  mode,
  onMode,
  placeholder,
}: Props) {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const { words, isBlank: isWordless, problem } = useWords(draft);
  const isBlank = isWordless && !attached.isSome;
  const { text } = words;
  const isFit = problem === null && attached.problem === null && !attached.isUploading;
  const canSend = !isSending && !isBlank && isFit;

  const recall = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const isOlder = event.key === 'ArrowUp';
    // In a message of several lines the arrows move within it first.
    if (
      isOlder
        ? text.lastIndexOf('\n', selectionStart - 1) !== -1 && selectionStart > 0
        : text.includes('\n', selectionStart)
    )
      return;
    const { message } = messageOf(words);
    const next = recalled(history, message, isOlder ? 'older' : 'newer');
    if (next === null && isOlder && message === (history.at(-1) ?? '')) onHistoryEnd();
    if (next === null) return;
    event.preventDefault();
    draft.replace(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') return recall(event);
    if (!isSendKey(event)) return;
    event.preventDefault();
    // While a turn runs, also one that is not seen here yet, the message waits for its end.
    if (canSend) onSend('queue');
  };

  return (
    <div className="rounded-xl border border-line-strong bg-surface shadow-card transition-colors focus-within:border-accent">
      <MessageField
        draft={draft}
        words={words}
        problem={problem}
        areaRef={areaRef}
        id="composer"
        label="Message"
        placeholder={placeholder}
        rows={1}
        onTyped={onTyped}
        onKeyDown={onKeyDown}
        onFiles={onFiles}
      />
      {attached.chips}
      {attached.problem !== null && (
        <p role="alert" className="px-4 pb-1 text-sm text-bad">
          {attached.problem}
        </p>
      )}
      <div className="flex items-center gap-2 px-2 pb-2">
        {attached.buttons}
        <ModeSelect mode={mode} onMode={onMode} disabled={false} />
        <span className="ms-auto" />
        <SendOrStop
          isActive={active !== null}
          isBlank={isBlank}
          isSending={isSending}
          stop={stop}
          canSend={canSend}
          onSend={onSend}
        />
      </div>
    </div>
  );
}
