import type { TextItem } from '@chirality/domain';
import { memo } from 'react';
import { MarkdownView } from '../../../markdown/components/markdown-view';

export const TextRow = memo(function TextRow({ item }: { item: TextItem }) {
  return (
    <div className="py-2" aria-busy={!item.done || undefined}>
      <MarkdownView text={item.text} isGrowing={!item.done} />
    </div>
  );
});
