export function Spinner({ size = 16, label }: { size?: number; label?: string }) {
  return (
    <span role={label === undefined ? undefined : 'status'} className="inline-flex items-center gap-2">
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" className="animate-spin">
        <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="2" opacity="0.22" />
        <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label}
    </span>
  );
}
