import type { ReactNode } from 'react';
import { Logo } from '../../../components/ui/logo';

/** The frame of the pages before signing in. */
export function AuthFrame({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main id="main" className="h-full overflow-y-auto px-5">
      <div className="mx-auto flex min-h-full w-full max-w-sm flex-col justify-center py-12">
        <div className="pb-8">
          <div className="flex items-center gap-2.5 pb-8 text-lg font-semibold tracking-tight">
            <Logo size={30} /> Chirality
          </div>
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {description !== undefined && <p className="mt-1.5 text-muted">{description}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
