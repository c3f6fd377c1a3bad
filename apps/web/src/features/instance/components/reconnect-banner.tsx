import { useEffect, useState } from 'react';
import { Spinner } from '../../../components/ui/spinner';
import { useLive } from '../../../lib/live/live-service';
import { useObservable } from '../../../lib/state/use-observable';

/** A short interruption of the network is not shown. */
const PATIENCE_MS = 1_000;

export function ReconnectBanner() {
  const live = useLive();
  const isAway = useObservable(live.status) === 'reconnecting';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(isAway), isAway ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [isAway]);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-14 z-30 flex justify-center">
      {isShown && isAway && (
        <div className="pointer-events-auto flex animate-appear items-center gap-3 rounded-full border border-line bg-surface py-1.5 ps-4 pe-2 text-sm shadow-pop">
          <Spinner size={13} label="Reconnecting…" />
          <button
            type="button"
            onClick={() => live.wake()}
            className="rounded-full px-2.5 py-0.5 font-medium text-accent hover:bg-hover"
          >
            Try now
          </button>
        </div>
      )}
    </div>
  );
}
