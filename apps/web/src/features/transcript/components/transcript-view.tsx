import { transcriptRows, type TranscriptRow, type TranscriptState } from '@chirality/domain';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode, type Ref, useImperativeHandle } from 'react';
import { guessRowSize } from '../lib/row-size';
import { RowView } from './rows/row-view';

/** Closer to the end than this counts as being there: new text then keeps in view. */
const AT_END_PX = 60;

export type TranscriptHandle = { toStart: () => void; toEnd: () => void; toRow: (key: string) => void };

type Props = {
  state: TranscriptState;
  /** What is not in the log yet, such as a message on its way. */
  tail: ReactNode;
  tailKey: string;
  handle: Ref<TranscriptHandle>;
};

type Shown = TranscriptRow | { kind: 'tail'; key: string };

/** The reading view: only the rows in sight are in the page, however long the conversation is. */
export function TranscriptView({ state, tail, tailKey, handle }: Props) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useMemo<Shown[]>(() => {
    const own: Shown[] = transcriptRows(state);
    return tail === null ? own : [...own, { kind: 'tail', key: 'tail' }];
  }, [state, tail]);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenRows, setSeenRows] = useState(rows.length);

  const virtualizer = useVirtualizer({
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
    followOnAppend: true,
    scrollEndThreshold: AT_END_PX,
  });

  useImperativeHandle(handle, () => ({
    toStart: () => virtualizer.scrollToIndex(0, { align: 'start' }),
    toEnd: () => virtualizer.scrollToEnd(),
    toRow: (key) => {
      const at = rows.findIndex((row) => row.key === key);
      if (at !== -1) virtualizer.scrollToIndex(at, { align: 'start' });
    },
  }));

  useLayoutEffect(() => {
    virtualizer.scrollToEnd();
    // Only when the conversation is opened; afterwards the reader decides.
  }, [virtualizer]);

  // One's own message is followed, wherever one was reading.
  useEffect(() => {
    if (tailKey !== '') virtualizer.scrollToEnd();
  }, [tailKey, virtualizer]);

  const onScroll = () => {
    const element = scrollRef.current;
    if (element === null) return;
    const isNowAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;
    if (isNowAtEnd !== isAtEnd) setAtEnd(isNowAtEnd);
    if (isNowAtEnd && seenRows !== rows.length) setSeenRows(rows.length);
  };

  const items = virtualizer.getVirtualItems();
  const hasNews = !isAtEnd && rows.length > seenRows;
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scrollRef}
        onScroll={onScroll}
        tabIndex={0}
        aria-label="Conversation"
        className="h-full overflow-x-hidden overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
        style={{ overflowAnchor: 'none' }}
      >
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
            {items.map((item) => {
              const row = rows[item.index]!;
              return (
                <div key={item.key} ref={virtualizer.measureElement} data-index={item.index} data-row={row.kind} className="flow-root">
                  <div className="column">{row.kind === 'tail' ? tail : <RowView row={row} />}</div>
                </div>
              );
            })}
          </div>
        </div>
      </section>
      {!isAtEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <button
            type="button"
            onClick={() => virtualizer.scrollToEnd({ behavior: 'auto' })}
            className="pointer-events-auto flex h-8 animate-appear items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-sm font-medium text-muted shadow-pop hover:text-text pointer-coarse:h-10"
          >
            <ArrowDown size={14} aria-hidden="true" className={hasNews ? 'text-accent' : undefined} />
            {hasNews ? 'New messages' : 'To the end'}
          </button>
        </div>
      )}
    </div>
  );
}
