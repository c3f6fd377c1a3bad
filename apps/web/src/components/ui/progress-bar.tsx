/** How much of something is done; null: unknown, so it only shows activity. */
export function ProgressBar({ percent, labelledBy }: { percent: number | null; labelledBy: string }) {
  return (
    <div
      role="progressbar"
      aria-labelledby={labelledBy}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={
          percent === null
            ? 'h-full w-1/3 animate-pulse rounded-full bg-accent'
            : 'h-full rounded-full bg-accent transition-[width]'
        }
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
