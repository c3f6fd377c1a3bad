import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that shows a picture alone; `label` is its accessible name and its tooltip. */
export function IconButton({ label, className, children, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors duration-100 hover:enabled:bg-hover hover:enabled:text-text disabled:opacity-50 pointer-coarse:size-10',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
