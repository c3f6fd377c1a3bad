import { useRef } from 'react';
import { Button } from '../../../components/ui/button';
import { classNames } from '../../../components/class-names';
import { FailureText } from '../../../components/text/failure-text';
import { Spinner } from '../../../components/ui/spinner';
import { useKeptFocus } from '../../../lib/keyboard/use-kept-focus';
import type { Earlier } from '../../../lib/transcript/earlier';

type Props = {
  earlier: Earlier;
  what: string;
  /** Read out as it happens. At one place in the page only: all of them load the same. */
  isAnnounced?: boolean;
  className?: string;
};

function labelOf({ isLoading, error }: Earlier, what: string): string {
  if (isLoading) return `Loading earlier ${what}`;
  return error === null ? `Load earlier ${what}` : 'Try again';
}

function Loader({ earlier, what, isAnnounced = false, className }: Props) {
  const { isLoading, error, load } = earlier;
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref);
  return (
    <div ref={ref} className={classNames('flex items-center justify-center gap-2 text-sm text-muted', className)}>
      {isAnnounced && (
        <span role="status" className="sr-only">
          {isLoading && `Loading earlier ${what}`}
        </span>
      )}
      {error !== null && !isLoading && (
        <span role={isAnnounced ? 'alert' : undefined} className="min-w-0 wrap-anywhere text-bad">
          Earlier {what} could not be loaded. <FailureText error={error} />
        </span>
      )}
      {/* One button, never disabled: it keeps the focus while it loads. */}
      <Button
        size="small"
        variant={error === null ? 'quiet' : 'secondary'}
        aria-disabled={isLoading || undefined}
        icon={isLoading ? <Spinner size={14} /> : undefined}
        onClick={() => {
          if (!isLoading) load();
        }}
      >
        {labelOf(earlier, what)}
      </Button>
    </div>
  );
}

/**
 * Where the turns that are shown begin and others come before them: loads those, says that it does, or why it could
 * not.
 */
export function LoadEarlier(props: Props) {
  return props.earlier.hasMore ? <Loader {...props} /> : null;
}
