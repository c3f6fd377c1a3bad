import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { ChevronDown } from 'lucide-react';
import { classNames } from '../class-names';

const CONTROL =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-base text-text transition-colors hover:border-faint focus-visible:border-accent focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted aria-invalid:border-bad';

type FrameProps = {
  label: string;
  isLabelHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
};

function FieldFrame({ label, isLabelHidden, hint, error, children }: FrameProps) {
  const id = useId();
  const describedBy = error != null ? `${id}-error` : hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="stack gap-1.5">
      <label htmlFor={id} className={isLabelHidden === true ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({ id, describedBy })}
      {error != null ? (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-faint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

type Shared = { label: string; isLabelHidden?: boolean; hint?: ReactNode; error?: ReactNode };

export function TextField({
  label,
  hint,
  error,
  className,
  ...rest
}: Shared & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <input
          id={id}
          dir="auto"
          aria-describedby={describedBy}
          aria-invalid={error != null || undefined}
          className={classNames(CONTROL, 'h-10', className)}
          {...rest}
        />
      )}
    </FieldFrame>
  );
}

/** What something is called that a person names. In the form's data it is `name`. */
export function NameField(
  props: Pick<Shared, 'hint' | 'error'> &
    Pick<InputHTMLAttributes<HTMLInputElement>, 'autoFocus' | 'defaultValue' | 'placeholder'>,
) {
  return <TextField label="Name" name="name" required maxLength={100} autoComplete="off" {...props} />;
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: Shared & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <FieldFrame label={label} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <textarea
          id={id}
          dir="auto"
          aria-describedby={describedBy}
          aria-invalid={error != null || undefined}
          className={classNames(CONTROL, 'py-2', className)}
          {...rest}
        />
      )}
    </FieldFrame>
  );
}

export function SelectField({
  label,
  isLabelHidden,
  hint,
  error,
  className,
  children,
  ...rest
}: Shared & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <FieldFrame label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      {({ id, describedBy }) => (
        <span className="relative block">
          <select
            id={id}
            aria-describedby={describedBy}
            className={classNames(CONTROL, 'h-10 appearance-none pe-9', className)}
            {...rest}
          >
            {children}
          </select>
          <ChevronDown
            size={15}
            aria-hidden="true"
            className="pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-faint"
          />
        </span>
      )}
    </FieldFrame>
  );
}
