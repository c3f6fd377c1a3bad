import type { ThinkingItem } from '@chirality/domain';
import { Brain, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { classNames } from '../../../components/class-names';
import { formatElapsed } from '../../../lib/format/duration';
import { MarkdownView } from '../../../components/markdown/markdown-view';
import { useOpenRow } from '../reading-context';

function caption(item: ThinkingItem): string {
  if (!item.done) return 'Thinking…';
  const ms = item.doneAt === null ? 0 : Date.parse(item.doneAt) - Date.parse(item.at);
  return ms < 1_000 ? 'Thought for a moment' : `Thought for ${formatElapsed(ms)}`;
}

export const ThinkingRow = memo(function ThinkingRow({ item }: { item: ThinkingItem }) {
  const [isOpen, toggle] = useOpenRow(item.key);
  return (
    <div className="py-0.5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex items-center gap-2 rounded-md px-2 py-1 text-sm text-faint transition-colors hover:bg-hover hover:text-muted pointer-coarse:py-2.5"
      >
        <Brain size={14} aria-hidden="true" className={item.done ? undefined : 'animate-breathe text-accent'} />
        {caption(item)}
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={classNames('transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen && (
        <MarkdownView
          text={item.text}
          isGrowing={!item.done}
          className="ms-3.5 border-s-2 border-line ps-3.5 text-base text-muted"
        />
      )}
    </div>
  );
});
