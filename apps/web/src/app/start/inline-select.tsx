import type { SelectHTMLAttributes } from 'react';

type Props = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & { 'aria-label': string };

/** A choice in the bar below a text field: as wide as what is chosen, its name only for assistive technology. */
export function InlineSelect(props: Props) {
  return (
    <select
      {...props}
      className="h-9 max-w-[min(15rem,100%)] truncate rounded-md border border-transparent bg-transparent px-2 text-sm text-muted hover:bg-hover hover:text-text pointer-coarse:h-11"
    />
  );
}
