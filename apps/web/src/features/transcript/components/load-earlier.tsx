import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/ui/class-names';
import { FailureText } from '../../../components/ui/failure-text';
import { Spinner } from '../../../components/ui/spinner';
import type { Earlier } from '../earlier';

/** Where the turns that are shown begin and others come before them: loads those, says that it does, or why it could not. */
export function LoadEarlier({ earlier, what, className }: { earlier: Earlier; what: string; className?: string }) {
  if (!earlier.hasMore) return null;
  return (
    <div className={classNames('flex items-center justify-center gap-2 text-sm text-muted', className)}>
      {earlier.isLoading ? (
        <Spinner size={14} label={`Loading earlier ${what}`} />
      ) : earlier.error !== null ? (
        <>
          <span role="alert" className="min-w-0 truncate text-bad">
            Earlier {what} could not be loaded. <FailureText error={earlier.error} />
          </span>
          <Button size="small" onClick={earlier.load}>
            Try again
          </Button>
        </>
      ) : (
        <Button size="small" variant="quiet" onClick={earlier.load}>
          Load earlier {what}
        </Button>
      )}
    </div>
  );
}
