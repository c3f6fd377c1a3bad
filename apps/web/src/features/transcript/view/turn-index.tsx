import type { TranscriptState } from '@chirality/domain';
import { ListTree } from 'lucide-react';
import { Popover as Radix } from 'radix-ui';
import { useState } from 'react';
import { IconButton } from '../../../components/ui/icon-button';
import { NameText } from '../../../components/text/untrusted-text';
import { formatAgo } from '../../../lib/format/time';
import { useMinute } from '../../../lib/state/use-now';
import type { Earlier } from '../../../lib/transcript/earlier';
import { useReading } from '../reading-context';
import { LoadEarlier } from './load-earlier';

type Props = { state: TranscriptState; earlier: Earlier; onStart: () => void; onRow: (key: string) => void };

/** How many messages are listed at once, newest first. */
const SHOWN = 100;

function TurnList({ state, earlier, onRow }: Pick<Props, 'state' | 'earlier' | 'onRow'>) {
  const now = useMinute();
  const { nameOf } = useReading();
  const [count, setCount] = useState(SHOWN);
  const turns = state.turns.filter((turn) => turn.kind === 'message' && turn.message !== null).reverse();
  return (
    <ol className="min-h-0 overflow-y-auto p-1">
      {turns.slice(0, count).map((turn) => (
        <li key={turn.id}>
          <Radix.Close
            className="grid w-full gap-0.5 rounded-md px-2.5 py-1.5 text-start hover:bg-hover pointer-coarse:py-2.5"
            onClick={() => onRow(`${turn.id}/message`)}
          >
            <NameText text={(turn.message ?? '').trim().split('\n')[0]!} className="truncate" />
            <span className="text-xs text-faint">
              {turn.authorName ?? nameOf(turn.authorId)} · {formatAgo(turn.queuedAt, now)}
            </span>
          </Radix.Close>
        </li>
      ))}
      {turns.length === 0 && !earlier.hasMore && (
        <li className="px-2.5 py-2 text-sm text-muted">Nothing was said yet.</li>
      )}
      {turns.length > count && (
        <li>
          <button
            type="button"
            onClick={() => setCount(count + SHOWN)}
            className="w-full rounded-md px-2.5 py-1.5 text-start text-sm font-medium text-accent hover:bg-hover"
          >
            Earlier ones
          </button>
        </li>
      )}
      {turns.length <= count && earlier.hasMore && (
        <li>
          <LoadEarlier
            earlier={{
              ...earlier,
              load: () => {
                setCount(count + SHOWN);
                earlier.load();
              },
            }}
            what="messages"
            className="px-2.5 py-1.5"
          />
        </li>
      )}
    </ol>
  );
}

/** The messages of the conversation, to go to any of them. */
export function TurnIndex({ state, earlier, onStart, onRow }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>
        <IconButton label="Messages of this session">
          <ListTree size={17} />
        </IconButton>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label="Messages of this session"
          align="end"
          sideOffset={6}
          collisionPadding={10}
          className="z-50 flex max-h-[min(28rem,70dvh)] w-96 max-w-[calc(100vw-1.25rem)] animate-appear flex-col rounded-lg border border-line bg-surface shadow-pop outline-none"
        >
          <Radix.Close
            className="border-b border-line px-3.5 py-2.5 text-start text-sm font-medium text-accent hover:bg-hover"
            onClick={onStart}
          >
            Jump to the beginning
          </Radix.Close>
          <TurnList state={state} earlier={earlier} onRow={onRow} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
