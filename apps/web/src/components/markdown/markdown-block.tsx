import { Image as ImageIcon } from 'lucide-react';
import { memo, useContext, type ReactNode } from 'react';
import Markdown, { defaultUrlTransform, type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../code/code-block';
import { MentionsFiles } from './file-links';
import { linkMentions } from './link-mentions';
import { SafeLink } from './safe-link';

const PLUGINS = [remarkGfm];
const PLUGINS_WITH_FILES = [remarkGfm, linkMentions];

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  return Array.isArray(node) ? node.map(textOf).join('') : '';
}

/** A picture's address may carry away what the model has read, so nothing is ever fetched: the reader may open it. */
function ImagePlaceholder({ src, alt }: { src?: string | undefined; alt?: string | undefined }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken px-2 py-0.5 align-baseline text-sm text-muted">
      <ImageIcon size={14} aria-hidden="true" className="shrink-0" />
      <SafeLink href={src}>{alt === undefined || alt === '' ? 'Picture, not loaded' : alt}</SafeLink>
    </span>
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <ImagePlaceholder src={typeof src === 'string' ? src : undefined} alt={alt} />,
  table: ({ children }) => (
    <div className="table-frame" tabIndex={0} role="region" aria-label="Table">
      <table>{children}</table>
    </div>
  ),
  // Each block has the direction of its first letters, whatever the others are written in.
  p: ({ children }) => <p dir="auto">{children}</p>,
  h1: ({ children }) => <h1 dir="auto">{children}</h1>,
  h2: ({ children }) => <h2 dir="auto">{children}</h2>,
  h3: ({ children }) => <h3 dir="auto">{children}</h3>,
  h4: ({ children }) => <h4 dir="auto">{children}</h4>,
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  ul: ({ children, className }) => (
    <ul dir="auto" className={className}>
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children, node }) => {
    const isBlock =
      node?.position !== undefined &&
      (className !== undefined ||
        node.position.start.line !== node.position.end.line ||
        textOf(children).endsWith('\n'));
    if (!isBlock) return <code>{children}</code>;
    return (
      <CodeBlock
        code={textOf(children).replace(/\n$/, '')}
        language={/language-(\S+)/.exec(className ?? '')?.[1] ?? null}
      />
    );
  },
  input: ({ checked, type }) => (
    <input type={type} checked={checked} readOnly disabled aria-label={checked === true ? 'done' : 'not done'} />
  ),
};

/** Addresses of pages and mail only; `data:` and scripts are dropped. */
function safeUrl(url: string): string {
  return defaultUrlTransform(url);
}

/** One block of markdown. Raw HTML in it is shown as the text it is. */
export const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  const plugins = useContext(MentionsFiles) ? PLUGINS_WITH_FILES : PLUGINS;
  return (
    <Markdown remarkPlugins={plugins} components={COMPONENTS} urlTransform={safeUrl}>
      {text}
    </Markdown>
  );
});
