import type { TextItem } from '@chirality/domain';
import { memo } from 'react';
import { MarkdownView } from '../../../components/markdown/markdown-view';

export const TextRow = memo(function TextRow({ item }: { item: TextItem }) {
  return (
    <div className="py-2" aria-busy={!item.done || undefined}>
      <MarkdownView text={item.text} isGrowing={!item.done} />
    </div>
  );
});
