import type { ReactNode } from 'react';

type Props = { icon?: ReactNode; title: string; children: ReactNode; action?: ReactNode; isWholePage?: boolean };

/** What a page says while it has nothing to show: what will be here, and the one thing to do next. */
export function EmptyState({ icon, title, children, action, isWholePage = false }: Props) {
  const Heading = isWholePage ? 'h1' : 'h2';
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-6 py-14 text-center">
      {icon !== undefined && (
        <div className="mb-4 flex size-12 items-center justify-center rounded-xl bg-accent-soft text-accent">
          {icon}
        </div>
      )}
      <Heading className="text-lg font-semibold">{title}</Heading>
      <p className="mt-1.5 text-muted">{children}</p>
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}
