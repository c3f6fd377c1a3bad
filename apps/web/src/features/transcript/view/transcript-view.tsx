import { transcriptRows, type TranscriptRow, type TranscriptState } from '@chirality/domain';
import { ArrowDown } from 'lucide-react';
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/class-names';
import { useKeptFocus } from '../../../lib/keyboard/use-kept-focus';
import { useVirtualRows } from '../../../lib/page/virtual-rows';
import type { Earlier } from '../../../lib/transcript/earlier';
import type { Moment } from '../../../lib/transcript/moment';
import { usePinnedEnd } from './use-pinned-end';
import { useSeeking } from './use-seeking';
import { guessRowSize } from './row-size';
import { useReading } from '../reading-context';
import { notePlace, placeIn } from './reading-places';
import { LoadEarlier } from './load-earlier';
import { RowView } from '../rows/row-view';

/** Closer than this to the end is at the end. */
const NEAR_END_PX = 40;
/** Closer to the beginning of what is loaded than so many frames, more is loaded. */
const AHEAD_FRAMES = 2;
/** Above the first row, and there with room to say that earlier ones are loaded. */
const TOP_PX = 20;
const TOP_WITH_MORE_PX = 64;

export type TranscriptHandle = { toStart: () => void; toRow: (key: string) => void };

type Props = {
  state: TranscriptState;
  earlier: Earlier;
  /** What is not in the log yet, such as a message on its way. */
  tail: ReactNode;
  tailKey: string;
  handle: Ref<TranscriptHandle>;
  /** The place that the address names; another object each time that one is asked for. */
  moment: Moment | null;
};

type Shown = TranscriptRow | { kind: 'tail'; key: string };

function ToEnd({ hasNews, onPress }: { hasNews: boolean; onPress: () => void }) {
  return (
    <div
      className={classNames(
        'pointer-events-none absolute inset-x-0 bottom-3 column flex',
        hasNews ? 'justify-center' : 'justify-end',
      )}
    >
      <button
        type="button"
        aria-label={hasNews ? undefined : 'To the end'}
        onClick={onPress}
        className="pointer-events-auto flex h-9 min-w-9 animate-appear items-center justify-center gap-1.5 rounded-full border border-line bg-surface text-sm font-medium text-muted shadow-pop hover:text-text pointer-coarse:h-11 pointer-coarse:min-w-11"
      >
        <ArrowDown size={16} aria-hidden="true" className={hasNews ? 'ms-3 text-accent' : undefined} />
        {hasNews && <span className="me-3.5">New messages</span>}
      </button>
    </div>
  );
}

/** A place is looked for that is not loaded yet. */
function Seeking({ earlier, onStop }: { earlier: Earlier; onStop: () => void }) {
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref);
  return (
    <div ref={ref} className="pointer-events-none absolute inset-x-0 top-3 column flex justify-center">
      <div className="pointer-events-auto flex min-h-9 max-w-full items-center gap-2 rounded-xl border border-line bg-surface py-1 ps-4 pe-1.5 shadow-pop">
        <LoadEarlier earlier={earlier} what="messages" isAnnounced className="min-w-0" />
        <Button size="small" variant="quiet" onClick={onStop}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** The reading view: only the rows in sight are in the page, however long the conversation is. */
export function TranscriptView({ state, earlier, tail, tailKey, handle, moment }: Props) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useMemo<Shown[]>(() => {
    const own: Shown[] = transcriptRows(state);
    return tail === null ? own : [...own, { kind: 'tail', key: 'tail' }];
  }, [state, tail]);
  const virtualizer = useVirtualRows({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (at) => {
      const row = rows[at]!;
      return row.kind === 'tail' ? 80 : guessRowSize(row);
    },
    getItemKey: (at) => rows[at]!.key,
    overscan: 10,
    paddingStart: earlier.hasMore ? TOP_WITH_MORE_PX : TOP_PX,
    paddingEnd: 24,
    anchorTo: 'end',
  });
  const totalSize = virtualizer.getTotalSize();
  const { isAtEnd, onScroll, pin, unpin } = usePinnedEnd(scrollRef, `${rows.length}/${totalSize}`);
  const [seenEventId, setSeenEventId] = useState(state.lastEventId);
  if (isAtEnd && seenEventId !== state.lastEventId) setSeenEventId(state.lastEventId);

  const { sessionId } = useReading();
  const loadWhenNearStart = () => {
    const list = scrollRef.current;
    if (list === null || !earlier.hasMore || earlier.isLoading || earlier.error !== null) return;
    if (list.scrollTop < list.clientHeight * AHEAD_FRAMES) earlier.load();
  };
  // Also where what is loaded does not fill the frame, and once more when a page has come.
  useEffect(loadWhenNearStart);
  const noteScroll = () => {
    onScroll();
    loadWhenNearStart();
    const list = scrollRef.current;
    if (list === null) return;
    const isEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    const first = virtualizer.getVirtualItems().find((item) => item.end > list.scrollTop);
    notePlace(
      sessionId,
      isEnd || first === undefined ? null : { rowKey: String(first.key), offsetPx: list.scrollTop - first.start },
    );
  };
  const { isSeeking, foundKey, seek, stop, leave } = useSeeking({
    rows,
    state,
    earlier,
    show: (at, offsetPx) => {
      unpin();
      if (at === 0 && offsetPx === 0) virtualizer.scrollToOffset(0);
      else virtualizer.scrollToIndex(at, { align: 'start' });
      // The rows above are measured first, which moves the one that is shown.
      if (offsetPx !== 0) requestAnimationFrame(() => scrollRef.current?.scrollBy(0, offsetPx));
    },
  });
  // No place that was looked for before brings the reader back from there.
  const toEnd = useCallback(() => {
    stop();
    leave();
    pin();
  }, [stop, leave, pin]);
  // The browser scrolls to an end over several frames, and stops as soon as a row on the way turns out to have another
  // size.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    leave();
    if (event.target !== event.currentTarget || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    if (event.key === 'End') return toEnd();
    unpin();
    virtualizer.scrollToOffset(0);
  };
  // Who follows a link is brought to what it names; who comes back continues where they were reading.
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (moment === null) return;
    isPlaced.current = true;
    seek({ kind: 'moment', moment });
  }, [moment, seek]);
  useLayoutEffect(() => {
    if (isPlaced.current) return;
    isPlaced.current = true;
    const place = placeIn(sessionId);
    if (place !== null) seek({ kind: 'place', key: place.rowKey, offsetPx: place.offsetPx });
  }, [sessionId, seek]);

  useImperativeHandle(
    handle,
    () => ({ toStart: () => seek({ kind: 'start' }), toRow: (key) => seek({ kind: 'row', key }) }),
    [seek],
  );

  // One's own message is followed, wherever one was reading; not one that was on its way before one came.
  const followedTail = useRef(tailKey);
  useLayoutEffect(() => {
    if (followedTail.current === tailKey) return;
    followedTail.current = tailKey;
    if (tailKey !== '') toEnd();
  }, [tailKey, toEnd]);

  const items = virtualizer.getVirtualItems();
  const hasNews = !isAtEnd && state.lastEventId > seenEventId;
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scrollRef}
        onScroll={noteScroll}
        onKeyDown={onKeyDown}
        onWheel={leave}
        onTouchMove={leave}
        onPointerDown={leave}
        tabIndex={0}
        aria-label="Conversation"
        className="h-full overflow-x-hidden overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
        style={{ overflowAnchor: 'none' }}
      >
        <div className="relative w-full" style={{ height: totalSize }}>
          <div className="column absolute inset-x-0 top-4 h-8">
            {!isSeeking && <LoadEarlier earlier={earlier} what="messages" isAnnounced />}
          </div>
          <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index]!;
              return (
                <div
                  key={item.key}
                  ref={virtualizer.measureElement}
                  data-index={item.index}
                  data-row={row.kind}
                  aria-current={item.key === foundKey ? 'location' : undefined}
                  className={classNames('flow-root', item.key === foundKey && 'bg-warn-soft')}
                >
                  <div
                    className={classNames(
                      'column',
                      (item.index > 0 || earlier.hasMore) && (row.kind === 'message' || row.kind === 'tail') && 'pt-8',
                    )}
                  >
                    {row.kind === 'tail' ? tail : <RowView row={row} />}
                  </div>
                </div>
              );
            })}
          </div>
        </div>
      </section>
      {isSeeking && <Seeking earlier={earlier} onStop={stop} />}
      {!isAtEnd && <ToEnd hasNews={hasNews} onPress={toEnd} />}
    </div>
  );
}
