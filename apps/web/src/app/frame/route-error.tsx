import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass, TriangleAlert } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { EmptyState } from '../../components/ui/empty-state';
import { messageOf } from '../../lib/http/api-error';

/** `children`: why; by default for an address that named something. */
export function NotFound({ children = 'It may have been archived or isn’t shared with you.' }: { children?: string }) {
  return (
    <main id="main" className="h-full overflow-y-auto pt-[12dvh]" tabIndex={-1}>
      <EmptyState
        isWholePage
        icon={<Compass size={22} />}
        title="Page not found"
        action={
          <Link to="/" className="font-medium text-accent underline underline-offset-4">
            Go to your projects
          </Link>
        }
      >
        {children}
      </EmptyState>
    </main>
  );
}

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  // A page whose file is gone was made by an older version of the server: only a reload brings the new one.
  const isStale = /dynamically imported module|Importing a module/i.test(messageOf(error));
  const again = () => {
    if (isStale) return window.location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <main id="main" className="h-full overflow-y-auto pt-[12dvh]" tabIndex={-1}>
      <EmptyState
        isWholePage
        icon={<TriangleAlert size={22} />}
        title={isStale ? 'There is a new version' : 'This page stopped working'}
        action={
          <Button variant="primary" onClick={again}>
            {isStale ? 'Reload' : 'Try again'}
          </Button>
        }
      >
        {isStale ? 'Reload to continue. What you wrote is kept.' : messageOf(error)}
      </EmptyState>
    </main>
  );
}
