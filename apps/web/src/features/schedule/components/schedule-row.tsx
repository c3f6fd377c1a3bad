import type { Schedule } from '@chirality/contracts';
import { CalendarClock, ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { FailureText } from '../../../components/text/failure-text';
import { Badge } from '../../../components/ui/badge';
import { Button } from '../../../components/ui/button';
import { Callout } from '../../../components/ui/callout';
import { formatUsd } from '../../../lib/format/money';
import { formatMinute } from '../../../lib/format/time';
import { RUN_STATES, yourTime } from '../schedule-facts';
import { useDeleteSchedule, useRunSchedule, useUpdateSchedule } from '../schedule.api';
import { ScheduleRuns } from './schedule-runs';
import { TriggerDialog } from './trigger-dialog';

type Asked = 'edit' | 'trigger' | 'delete' | null;

function Facts({ schedule }: { schedule: Schedule }) {
  const [next] = schedule.next;
  return (
    <>
      <p className="text-sm text-muted">
        {schedule.words}
        {next !== undefined && ` · next ${formatMinute(next)}${yourTime(schedule.timezone)}`}
      </p>
      <p className="text-sm text-faint">
        Runs as {schedule.owner.name}
        {schedule.owner.isServiceAccount ? ' (service account), with its' : ', with their'} rights, key and budgets
        {schedule.budgetUsd !== null && ` · at most ${formatUsd(schedule.budgetUsd)} a run`}
      </p>
    </>
  );
}

/** One schedule: when it runs, who pays, what became of it, and its buttons for those who may. */
export function ScheduleRow({
  projectId,
  schedule,
  mayChange,
  mayStop,
  editor,
}: {
  projectId: string;
  schedule: Schedule;
  /** Its owner, or one who may use the service account that it runs as. */
  mayChange: boolean;
  /** They, and who manages the project. */
  mayStop: boolean;
  editor: (open: boolean, onOpenChange: (open: boolean) => void) => ReactNode;
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const [isOpen, setOpen] = useState(false);
  const update = useUpdateSchedule(projectId, schedule.id);
  const run = useRunSchedule(projectId);
  const remove = useDeleteSchedule(projectId);
  const ask = (which: Exclude<Asked, null>) => (open: boolean) => setAsked(open ? which : null);
  const isPaused = schedule.status === 'paused';
  const failure = run.error ?? update.error;
  const { lastRun } = schedule;
  return (
    <li className="stack gap-3 px-4 py-3">
      <div className="flex flex-wrap items-start gap-3">
        <CalendarClock size={17} aria-hidden="true" className={isPaused ? 'mt-1 text-faint' : 'mt-1 text-good'} />
        <div className="min-w-52 flex-1 wrap-anywhere">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {schedule.name}
            {isPaused && <Badge tone="warn">Paused</Badge>}
            {lastRun !== null && <Badge tone={RUN_STATES[lastRun.state].tone}>{RUN_STATES[lastRun.state].label}</Badge>}
          </p>
          <Facts schedule={schedule} />
        </div>
        {mayStop && (
          <div className="flex flex-wrap gap-2">
            {mayChange && (
              <Button size="small" busy={run.isPending} onClick={() => run.mutate(schedule.id)}>
                Run now
              </Button>
            )}
            {(mayChange || !isPaused) && (
              <Button
                size="small"
                busy={update.isPending}
                onClick={() => update.mutate({ status: isPaused ? 'active' : 'paused' })}
              >
                {isPaused ? 'Resume' : 'Pause'}
              </Button>
            )}
            {mayChange && (
              <>
                <Button size="small" onClick={() => setAsked('edit')}>
                  Edit…
                </Button>
                <Button size="small" onClick={() => setAsked('trigger')}>
                  Trigger…
                </Button>
              </>
            )}
            <Button size="small" variant="danger" onClick={() => setAsked('delete')}>
              Delete…
            </Button>
          </div>
        )}
      </div>
      {schedule.pausedBecause === 'failures' && (
        <Callout tone="warn" role="status" title="Paused after three failures">
          {lastRun?.detail ?? 'See its runs.'} Fix the cause, then resume it.
        </Callout>
      )}
      {failure !== null && (
        <Callout tone="bad" role="alert">
          <FailureText error={failure} />
        </Callout>
      )}
      <div>
        <Button
          size="small"
          variant="quiet"
          aria-expanded={isOpen}
          icon={<ChevronDown size={14} className={isOpen ? 'rotate-180' : ''} />}
          onClick={() => setOpen(!isOpen)}
        >
          History
        </Button>
        {isOpen && (
          <div className="pt-2">
            <ScheduleRuns scheduleId={schedule.id} />
          </div>
        )}
      </div>
      {editor(asked === 'edit', ask('edit'))}
      <TriggerDialog
        projectId={projectId}
        schedule={schedule}
        open={asked === 'trigger'}
        onOpenChange={ask('trigger')}
      />
      <ConfirmDialog
        title={`Delete “${schedule.name}”?`}
        confirmLabel="Delete"
        open={asked === 'delete'}
        onOpenChange={ask('delete')}
        onConfirm={() => remove.mutateAsync(schedule.id)}
      >
        It runs no more, and its history goes with it. Sessions that it began stay.
      </ConfirmDialog>
    </li>
  );
}
