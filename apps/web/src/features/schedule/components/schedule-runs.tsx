import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../components/ui/badge';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { formatMinute } from '../../../lib/format/time';
import { RUN_CAUSES, RUN_STATES } from '../schedule-facts';
import { scheduleRunsQuery } from '../schedule.api';

/** What became of each time that it was due, latest first. */
export function ScheduleRuns({ scheduleId }: { scheduleId: string }) {
  const runs = useQuery(scheduleRunsQuery(scheduleId));
  return (
    <QueryGate query={runs} pending={<SkeletonRows count={2} className="h-6 rounded-md" />}>
      {(data) =>
        data.length === 0 ? (
          <p className="text-sm text-muted">It has not run yet.</p>
        ) : (
          <ul aria-label="Runs" className="stack max-h-72 gap-1.5 overflow-y-auto text-sm" tabIndex={0}>
            {data.map((run) => (
              <li key={run.id} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                <Badge tone={RUN_STATES[run.state].tone}>{RUN_STATES[run.state].label}</Badge>
                <span>{formatMinute(run.plannedAt)}</span>
                <span className="text-muted">{RUN_CAUSES[run.cause]}</span>
                {run.sessionId !== null && (
                  <Link
                    to="/sessions/$sessionId"
                    params={{ sessionId: run.sessionId }}
                    className="underline underline-offset-4"
                  >
                    Open session
                  </Link>
                )}
                {run.detail !== null && <span className="w-full text-muted wrap-anywhere">{run.detail}</span>}
              </li>
            ))}
          </ul>
        )
      }
    </QueryGate>
  );
}
