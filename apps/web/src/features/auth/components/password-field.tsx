import { Eye, EyeOff } from 'lucide-react';
import { useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { TextField } from '../../../components/form/field';

type Props = {
  label: string;
  /** What the button shows and hides, where the label is no name for it. */ what?: string;
  hint?: ReactNode;
  error?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>;

export function PasswordField({ label, what = label.toLowerCase(), ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextField
        label={label}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="off"
        className="pe-11"
        maxLength={1000}
        {...rest}
      />
      <button
        type="button"
        aria-label={isShown ? `Hide the ${what}` : `Show the ${what}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute end-1 top-[1.875rem] flex size-8 items-center justify-center rounded-md text-faint hover:text-text"
      >
        {isShown ? <EyeOff size={16} /> : <Eye size={16} />}
      </button>
    </div>
  );
}
