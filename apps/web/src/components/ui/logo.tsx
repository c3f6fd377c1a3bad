/** Two mirrored arcs: the same form, never the same hand. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" className="stroke-on-accent" strokeWidth="2.6" strokeLinecap="round">
        <path d="M13.4 8.2C9.4 9.4 7 12.5 7 16s2.4 6.6 6.4 7.8" />
        <path d="M18.6 8.2c4 1.2 6.4 4.3 6.4 7.8s-2.4 6.6-6.4 7.8" opacity="0.6" />
      </g>
      <circle cx="13.2" cy="16" r="1.9" className="fill-on-accent" />
      <circle cx="18.8" cy="16" r="1.9" className="fill-on-accent" opacity="0.6" />
    </svg>
  );
}
