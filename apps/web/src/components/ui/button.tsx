import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names';
import { Spinner } from './spinner';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'small' | 'medium' | 'large';

const BASE =
  'inline-flex select-none items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-55';
const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:enabled:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface text-text hover:enabled:bg-hover',
  quiet: 'text-muted hover:enabled:bg-hover hover:enabled:text-text',
  danger: 'border border-line-strong bg-surface text-bad hover:enabled:border-bad hover:enabled:bg-bad-soft',
};
const SIZES: Record<Size, string> = {
  small: 'h-7 px-2.5 text-sm',
  medium: 'h-9 px-3.5 text-base pointer-coarse:h-11',
  large: 'h-11 px-5 text-base',
};

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: Variant;
  size?: Size;
  /** Work is under way: the button says so and cannot be pressed again. */
  busy?: boolean;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({
  variant = 'secondary',
  size = 'medium',
  busy = false,
  icon,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(BASE, VARIANTS[variant], SIZES[size], className)}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner size={14} /> : icon}
      {children}
    </button>
  );
}
