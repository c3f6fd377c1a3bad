import type { PermissionMode } from '@chirality/contracts';
import type { TurnView } from '@chirality/domain';
import { ArrowUp, Square } from 'lucide-react';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { Spinner } from '../../../components/ui/spinner';
import type { Stop } from '../hooks/use-stop';
import { STOP_SENTENCES } from '../stop-stage';
import { ModeSelect } from './mode-select';

type Props = {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  active: TurnView | null;
  /** A message is on its way and its turn is not seen yet. */
  isSending: boolean;
  stop: Stop;
  mode: PermissionMode | null;
  onMode: (mode: PermissionMode | null) => void;
  placeholder: string;
  disabled: boolean;
};

const MOST_HEIGHT = 320;

function SendOrStop({ active, isSending, stop, canSend, onSend }: Pick<Props, 'active' | 'isSending' | 'stop' | 'onSend'> & { canSend: boolean }) {
  if (active !== null) {
    return (
      <button
        type="button"
        onClick={stop.ask}
        disabled={stop.stage !== null}
        aria-label={stop.stage === null ? 'Stop' : STOP_SENTENCES[stop.stage]}
        title="Stop this turn"
        className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 font-medium text-text transition-colors hover:enabled:border-bad hover:enabled:text-bad pointer-coarse:h-11"
      >
        {stop.stage === null ? <Square size={12} fill="currentColor" aria-hidden="true" /> : <Spinner size={13} />}
        {stop.stage === null ? 'Stop' : STOP_SENTENCES[stop.stage]}
      </button>
    );
  }
  return (
    <button
      type="button"
      onClick={onSend}
      disabled={!canSend}
      aria-label="Send"
      title="Send (Enter)"
      className="flex size-9 items-center justify-center rounded-md bg-accent text-on-accent transition-colors hover:enabled:bg-accent-strong disabled:bg-pressed disabled:text-faint pointer-coarse:size-11"
    >
      {isSending ? <Spinner size={15} /> : <ArrowUp size={18} aria-hidden="true" />}
    </button>
  );
}

/** Where a message is written. Enter sends, Shift+Enter begins a line, and Enter that ends an IME's composition does neither. */
export function Composer({ text, onText, onSend, active, isSending, stop, mode, onMode, placeholder, disabled }: Props) {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const canSend = !disabled && !isSending && active === null && text.trim() !== '';

  useLayoutEffect(() => {
    const area = areaRef.current;
    if (area === null) return;
    area.style.height = 'auto';
    area.style.height = `${Math.min(area.scrollHeight, MOST_HEIGHT)}px`;
  }, [text]);

  const onKeyDown = (event: KeyboardEvent) => {
    // Safari says that composing has ended before it reports the key that ended it; the code then is 229.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (canSend) onSend();
  };

  return (
    <div className={classNames('rounded-xl border border-line-strong bg-surface shadow-card transition-colors focus-within:border-accent', disabled && 'opacity-70')}>
      <textarea
        ref={areaRef}
        id="composer"
        rows={1}
        value={text}
        disabled={disabled}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        aria-label="Message"
        placeholder={placeholder}
        className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 text-read outline-none"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        <ModeSelect mode={mode} onMode={onMode} disabled={disabled} />
        <span className="ms-auto" />
        {active !== null && text.trim() !== '' && <span className="hidden text-xs text-faint phone:inline">Your text is kept until the turn ends</span>}
        <SendOrStop active={active} isSending={isSending} stop={stop} canSend={canSend} onSend={onSend} />
      </div>
    </div>
  );
}
