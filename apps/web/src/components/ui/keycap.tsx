/** The key that does the same as the button it stands on. Not shown where there is no keyboard. */
export function Keycap({ children }: { children: string }) {
  return (
    <kbd
      aria-hidden="true"
      className="rounded-[4px] border border-current px-1 font-sans text-2xs opacity-80 pointer-coarse:hidden"
    >
      {children}
    </kbd>
  );
}
