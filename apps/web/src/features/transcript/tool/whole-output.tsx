import { Button } from '../../../components/ui/button';
import { formatBytes } from '../../../lib/format/count';
import { useWholeOutput } from '../transcript.api';
import { ToolOutput } from './tool-output';
import { FailureText } from '../../../components/text/failure-text';

/** A long result: what is in the log first, all of it when asked for. */
export function WholeOutput({
  preview,
  truncated,
  isError,
}: {
  preview: unknown;
  truncated: { bytes: number; href: string };
  isError: boolean;
}) {
  const load = useWholeOutput();
  return (
    <>
      <ToolOutput content={load.data ?? preview} isError={isError} />
      {load.data === undefined && (
        <div className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2 text-sm">
          <span className="text-muted">This is the beginning of {formatBytes(truncated.bytes)}.</span>
          <Button size="small" busy={load.isPending} onClick={() => load.mutate(truncated.href)}>
            Show all of it
          </Button>
          {load.isError && (
            <span role="alert" className="text-bad">
              <FailureText error={load.error} />
            </span>
          )}
        </div>
      )}
    </>
  );
}
