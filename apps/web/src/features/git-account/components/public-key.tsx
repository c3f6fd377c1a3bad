import { CopyButton } from '../../../components/ui/copy-button';

/** The line that a git host is given, to copy. */
export function PublicKey({ line }: { line: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
      {/* A long line: keyboards scroll it, too. */}
      <code
        tabIndex={0}
        aria-label="Public key"
        className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-xs whitespace-nowrap"
      >
        {line}
      </code>
      <CopyButton text={line} label="Copy the public key" caption="Copy" />
    </div>
  );
}
