import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names';

type Tone = 'info' | 'good' | 'warn' | 'bad';

const LOOKS = {
  info: { box: 'bg-sunken', icon: <Info size={16} />, ink: 'text-text' },
  good: { box: 'bg-good-soft', icon: <CircleCheck size={16} />, ink: 'text-good' },
  warn: { box: 'bg-warn-soft', icon: <TriangleAlert size={16} />, ink: 'text-warn' },
  bad: { box: 'bg-bad-soft', icon: <CircleAlert size={16} />, ink: 'text-bad' },
} as const;

type Props = {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  className?: string | undefined;
};

function isSomething(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false && node !== '';
}

/** A sentence that must not be missed, with what can be done about it. */
export function Callout({ tone = 'info', title, children, actions, role, className }: Props) {
  const look = LOOKS[tone];
  return (
    <div role={role} className={classNames('flex gap-2.5 rounded-lg px-3.5 py-3', look.box, className)}>
      <span aria-hidden="true" className={classNames('mt-0.5 shrink-0', look.ink)}>
        {look.icon}
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title !== undefined && <p className={classNames('font-semibold', look.ink)}>{title}</p>}
        {isSomething(children) && <div className="text-text">{children}</div>}
        {isSomething(actions) && <div className="mt-2.5 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
