import { Menu as MenuIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDrawer } from '../../lib/page/drawer';
import { useIsPhone } from '../../lib/page/use-media';
import { IconButton } from './icon-button';

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode };

/** The frame of every page but the session's: a title, what can be done, and one scrolling column. */
export function Page({ title, description, actions, children }: Props) {
  const drawer = useDrawer();
  const isPhone = useIsPhone();
  return (
    // `relative`: what is hidden but for screen readers scrolls with it, and not the document, when it has the focus.
    <main id="main" className="relative h-full overflow-y-auto" tabIndex={-1}>
      <div className="page pt-4 pb-16 phone:pt-8">
        <header className="pb-6">
          <div className="flex min-h-9 flex-wrap items-center gap-2">
            {/* On a phone a long title has the line to itself, and what can be done stands below. */}
            <div className="flex max-w-full min-w-0 flex-auto items-center gap-2 phone:min-w-24 phone:flex-1">
              {isPhone && (
                <IconButton label="Open the list of projects and sessions" onClick={drawer.open} className="-ms-2">
                  <MenuIcon size={19} />
                </IconButton>
              )}
              <h1 className="min-w-0 flex-1 truncate text-xl font-semibold tracking-tight">
                <bdi>{title}</bdi>
              </h1>
            </div>
            {actions}
          </div>
          {description !== undefined && <p className="mt-1 wrap-break-word text-muted">{description}</p>}
        </header>
        {children}
      </div>
    </main>
  );
}

export function Section({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="pb-9">
      <div className="flex flex-wrap items-end gap-3 pb-3">
        {/* Beside a description that has no room, what can be done stands below. */}
        <div className={description === undefined ? 'min-w-0 flex-1' : 'min-w-[min(15rem,100%)] flex-1'}>
          <h2 className="font-semibold">{title}</h2>
          {description !== undefined && <p className="text-sm text-muted">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
