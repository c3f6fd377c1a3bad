import { useId, type ReactNode } from 'react';

type Props = {
  label: string;
  hint: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** Something that is on or off at once, with what that means. */
export function Switch({ label, hint, checked, disabled = false, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <span className="min-w-0 flex-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <span id={`${id}-hint`} className="block text-sm text-muted">
          {hint}
        </span>
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="relative mt-0.5 h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full bg-line-strong transition-colors before:absolute before:start-0.5 before:top-0.5 before:size-5 before:rounded-full before:bg-surface before:shadow-card before:transition-transform checked:bg-accent checked:before:translate-x-4 disabled:cursor-default disabled:opacity-55"
      />
    </div>
  );
}
