import { transcriptRows, type TranscriptRow, type TranscriptState } from '@chirality/domain';
import { ArrowDown } from 'lucide-react';
import { useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { classNames } from '../../../components/ui/class-names';
import { useVirtualRows } from '../../../lib/virtual-rows';
import { usePinnedEnd } from '../hooks/use-pinned-end';
import { guessRowSize } from '../lib/row-size';
import { useReading } from '../reading-context';
import { notePlace, placeIn } from '../reading-places';
import { RowView } from './rows/row-view';

/** Closer than this to the end is at the end. */
const NEAR_END_PX = 40;

export type TranscriptHandle = { toStart: () => void; toRow: (key: string) => void };

type Props = {
  state: TranscriptState;
  /** What is not in the log yet, such as a message on its way. */
  tail: ReactNode;
  tailKey: string;
  handle: Ref<TranscriptHandle>;
};

type Shown = TranscriptRow | { kind: 'tail'; key: string };

function ToEnd({ hasNews, onPress }: { hasNews: boolean; onPress: () => void }) {
  return (
    <div className={classNames('pointer-events-none absolute inset-x-0 bottom-3 column flex', hasNews ? 'justify-center' : 'justify-end')}>
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

/** The reading view: only the rows in sight are in the page, however long the conversation is. */
export function TranscriptView({ state, tail, tailKey, handle }: Props) {
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
    paddingStart: 20,
    paddingEnd: 24,
    anchorTo: 'end',
  });
  const totalSize = virtualizer.getTotalSize();
  const { isAtEnd, onScroll, pin, unpin } = usePinnedEnd(scrollRef, `${rows.length}/${totalSize}`);
  const [seenEventId, setSeenEventId] = useState(state.lastEventId);
  if (isAtEnd && seenEventId !== state.lastEventId) setSeenEventId(state.lastEventId);

  const { sessionId } = useReading();
  const noteScroll = () => {
    onScroll();
    const list = scrollRef.current;
    if (list === null) return;
    const isEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
    const first = virtualizer.getVirtualItems().find((item) => item.end > list.scrollTop);
    notePlace(sessionId, isEnd || first === undefined ? null : { rowKey: String(first.key), offsetPx: list.scrollTop - first.start });
  };
  // Who comes back goes on reading where they were.
  const isPlaced = useRef(false);
  useLayoutEffect(() => {
    if (isPlaced.current) return;
    isPlaced.current = true;
    const place = placeIn(sessionId);
    const at = place === null ? -1 : rows.findIndex((row) => row.key === place.rowKey);
    if (place === null || at === -1) return;
    unpin();
    virtualizer.scrollToIndex(at, { align: 'start' });
    // The rows above are measured first, which moves the one that was read.
    requestAnimationFrame(() => scrollRef.current?.scrollBy(0, place.offsetPx));
  }, [sessionId, rows, virtualizer, unpin]);

  useImperativeHandle(
    handle,
    () => ({
      toStart: () => {
        unpin();
        virtualizer.scrollToIndex(0, { align: 'start' });
      },
      toRow: (key) => {
        const at = rows.findIndex((row) => row.key === key);
        if (at === -1) return;
        unpin();
        virtualizer.scrollToIndex(at, { align: 'start' });
      },
    }),
    [virtualizer, rows, unpin],
  );

  // One's own message is followed, wherever one was reading.
  useLayoutEffect(() => {
    if (tailKey !== '') pin();
  }, [tailKey, pin]);

  const items = virtualizer.getVirtualItems();
  const hasNews = !isAtEnd && state.lastEventId > seenEventId;
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scrollRef}
        onScroll={noteScroll}
        tabIndex={0}
        aria-label="Conversation"
        className="h-full overflow-x-hidden overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
        style={{ overflowAnchor: 'none' }}
      >
        <div className="relative w-full" style={{ height: totalSize }}>
          <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index]!;
              return (
                <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} data-row={row.kind} className="flow-root">
                  <div className={classNames('column', item.index > 0 && (row.kind === 'message' || row.kind === 'tail') && 'pt-8')}>{row.kind === 'tail' ? tail : <RowView row={row} />}</div>
                </div>
              );
            })}
          </div>
        </div>
      </section>
      {!isAtEnd && <ToEnd hasNews={hasNews} onPress={pin} />}
    </div>
  );
}
