import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../lib/page/copy-text';
import { classNames } from '../class-names';

type Props = { text: string | (() => string); label: string; className?: string; size?: number; caption?: string };

/** Copies, and says for a moment that it did. */
export function CopyButton({ text, label, className, size = 14, caption }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      title={label}
      aria-label={copied ? 'Copied' : label}
      onClick={() => void copyText(typeof text === 'function' ? text() : text).then(setCopied)}
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-md p-1.5 text-xs text-faint transition-colors hover:bg-hover hover:text-text pointer-coarse:p-2.5',
        className,
      )}
    >
      {copied ? <Check size={size} className="text-good" /> : <Copy size={size} />}
      {caption !== undefined && <span>{copied ? 'Copied' : caption}</span>}
    </button>
  );
}
