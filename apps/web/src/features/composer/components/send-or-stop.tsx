import { ArrowUp, ChevronDown, ListEnd, Square, Zap } from 'lucide-react';
import { Menu, MenuItem } from '../../../components/overlay/menu';
import { Spinner } from '../../../components/ui/spinner';
import type { WhenBusy } from '../../../lib/message/outbox';
import type { Stop } from '../hooks/use-stop';
import { STOP_SENTENCES } from '../stop-stage';

type Props = {
  /** A turn runs. */
  isActive: boolean;
  /** Nothing is written. */
  isBlank: boolean;
  /** A message is on its way and its turn is not seen yet. */
  isSending: boolean;
  canSend: boolean;
  stop: Stop;
  onSend: (whenBusy: WhenBusy) => void;
};

function StopButton({ stop, isSmall }: Pick<Props, 'stop'> & { isSmall: boolean }) {
  const sentence = stop.stage === null ? 'Stop' : STOP_SENTENCES[stop.stage];
  return (
    <button
      type="button"
      onClick={stop.ask}
      disabled={stop.stage !== null}
      aria-label={sentence}
      title="Stop this turn (Esc)"
      className="flex h-9 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 font-medium text-text transition-colors hover:enabled:border-bad hover:enabled:text-bad pointer-coarse:h-11"
    >
      {stop.stage === null ? <Square size={12} fill="currentColor" aria-hidden="true" /> : <Spinner size={13} />}
      <span className={isSmall ? 'hidden phone:inline' : undefined}>{sentence}</span>
    </button>
  );
}

const SEND =
  'flex h-9 items-center justify-center bg-accent text-on-accent transition-colors hover:enabled:bg-accent-strong disabled:bg-pressed disabled:text-faint pointer-coarse:h-11';

/**
 * Sends; while a turn runs, stops it, and where something is written has that wait for the end, or interrupt the turn.
 */
export function SendOrStop({ isActive, isBlank, isSending, canSend, stop, onSend }: Props) {
  if (isActive && isBlank) return <StopButton stop={stop} isSmall={false} />;
  const picture = isSending ? (
    <Spinner size={15} />
  ) : isActive ? (
    <ListEnd size={17} aria-hidden="true" />
  ) : (
    <ArrowUp size={18} aria-hidden="true" />
  );
  if (!isActive)
    return (
      <button
        type="button"
        onClick={() => onSend('queue')}
        disabled={!canSend}
        aria-label="Send"
        title="Send (Enter)"
        className={`${SEND} w-9 rounded-md pointer-coarse:w-11`}
      >
        {picture}
      </button>
    );
  return (
    <>
      <StopButton stop={stop} isSmall />
      <div className="flex gap-px">
        <button
          type="button"
          onClick={() => onSend('queue')}
          disabled={!canSend}
          aria-label="Queue message"
          title="Send when the turn has ended (Enter)"
          className={`${SEND} w-9 rounded-s-md pointer-coarse:w-11`}
        >
          {picture}
        </button>
        <Menu
          trigger={
            <button
              type="button"
              disabled={!canSend}
              aria-label="Other ways to send"
              title="Other ways to send"
              className={`${SEND} w-7 rounded-e-md pointer-coarse:w-9`}
            >
              <ChevronDown size={14} aria-hidden="true" />
            </button>
          }
        >
          <MenuItem icon={<ListEnd size={15} />} onSelect={() => onSend('queue')}>
            Queue: send when the turn has ended
          </MenuItem>
          <MenuItem icon={<Zap size={15} />} onSelect={() => onSend('interrupt')}>
            Interrupt the turn and send now
          </MenuItem>
        </Menu>
      </div>
    </>
  );
}
