import { CopyButton } from '../ui/copy-button';
import { revealHidden } from '../../lib/text/reveal';
import { Highlighted } from './highlighted';

/** Only short code is highlighted again with every token; long code is highlighted once it is complete. */
const MAX_LIVE = 6_000;

type Props = { code: string; language: string | null; isGrowing?: boolean };

export function CodeBlock({ code, language, isGrowing = false }: Props) {
  const shown = revealHidden(code.replaceAll('\r\n', '\n'));
  return (
    <div className="group/code overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex h-8 items-center justify-between border-b border-line ps-3 pe-1">
        <span className="font-mono text-xs text-faint">{language ?? 'text'}</span>
        <CopyButton text={code} label="Copy the code" />
      </div>
      <pre
        dir="ltr"
        tabIndex={0}
        className="overflow-x-auto p-3 font-mono text-sm/[1.55] focus-visible:-outline-offset-2"
      >
        <code>{isGrowing && shown.length > MAX_LIVE ? shown : <Highlighted code={shown} language={language} />}</code>
      </pre>
    </div>
  );
}
