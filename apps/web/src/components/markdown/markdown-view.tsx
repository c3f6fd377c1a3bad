import { memo, useDeferredValue, useState } from 'react';
import { classNames } from '../class-names';
import { revealInProse } from '../../lib/text/reveal';
import { closeOpenMarks } from './close-open-marks';
import { openFence } from './open-fence';
import { BlockSplitter } from './split-blocks';
import { CodeBlock } from '../code/code-block';
import { MarkdownBlock } from './markdown-block';

/** A block that has grown beyond this is drawn when there is time, not with every token. */
const LONG_BLOCK = 6_000;

function withDefinitions(block: string, definitions: readonly string[]): string {
  return definitions.length === 0 || !block.includes('[') ? block : `${block}\n\n${definitions.join('\n')}`;
}

function GrowingBlock({ text, definitions }: { text: string; definitions: readonly string[] }) {
  const later = useDeferredValue(text);
  const shown = text.length > LONG_BLOCK ? later : text;
  const fence = openFence(shown);
  if (fence !== null) return <CodeBlock code={fence.code} language={fence.language} isGrowing />;
  return <MarkdownBlock text={withDefinitions(closeOpenMarks(shown), definitions)} />;
}

/**
 * Markdown as it streams: settled blocks are drawn once and kept, only the last one is drawn again with each token, and
 * its open marks are closed so that no raw `**` flashes.
 */
export const MarkdownView = memo(function MarkdownView({
  text,
  isGrowing,
  className,
}: {
  text: string;
  isGrowing: boolean;
  className?: string;
}) {
  const [splitter] = useState(() => new BlockSplitter());
  const { settled, growing, definitions } = splitter.split(revealInProse(text));
  return (
    <div className={classNames('prose', className)}>
      {settled.map((block, at) => (
        <MarkdownBlock key={at} text={withDefinitions(block, definitions)} />
      ))}
      {growing.trim() !== '' &&
        (isGrowing ? (
          <GrowingBlock key={settled.length} text={growing} definitions={definitions} />
        ) : (
          <MarkdownBlock key={settled.length} text={withDefinitions(growing, definitions)} />
        ))}
    </div>
  );
});
