/** `+4 −1`. */
export function ChangeCount({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span className="inline-flex shrink-0 gap-1.5 font-mono text-xs tabular-nums">
      <span className="text-good">
        <span className="sr-only">added </span>+{additions}
      </span>
      <span className="text-bad">
        <span className="sr-only">removed </span>−{deletions}
      </span>
    </span>
  );
}
