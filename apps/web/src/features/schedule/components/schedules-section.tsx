import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { Section } from '../../../components/ui/page';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { useUser } from '../../access/hooks/use-user';
import { schedulesQuery } from '../schedule.api';
import { ScheduleDialog, type ScheduleAccount } from './schedule-dialog';
import { ScheduleRow } from './schedule-row';

/** Messages that are sent at given times, in one project. */
export function SchedulesSection({
  projectId,
  role,
  personas,
  accounts,
}: {
  projectId: string;
  role: 'read' | 'write' | 'manage' | undefined;
  personas: readonly { key: string; name: string }[];
  accounts: readonly ScheduleAccount[];
}) {
  const schedules = useQuery(schedulesQuery(projectId));
  const user = useUser();
  const [isCreating, setCreating] = useState(false);
  const mayWrite = role === 'write' || role === 'manage';
  const form = { projectId, personas, accounts, userName: user.name };
  const mayChange = (ownerId: string) => mayWrite && (ownerId === user.id || accounts.some(({ id }) => id === ownerId));
  return (
    <Section
      title="Schedules"
      description="Messages that are sent at given times or when another system asks. Runs are shared with the project."
      actions={
        mayWrite && (
          <Button size="small" icon={<Plus size={15} />} onClick={() => setCreating(true)}>
            Create schedule
          </Button>
        )
      }
    >
      <QueryGate query={schedules} pending={<SkeletonRows count={2} className="h-16 rounded-lg" />}>
        {(data) =>
          data.length === 0 ? (
            <p className="rounded-lg border border-dashed border-line-strong px-4 py-5 text-sm text-muted">
              No schedules yet. Create one for what should be done again and again, such as a nightly review.
            </p>
          ) : (
            <ul
              aria-label="Schedules"
              className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
            >
              {data.map((schedule) => (
                <ScheduleRow
                  key={schedule.id}
                  projectId={projectId}
                  schedule={schedule}
                  mayChange={mayChange(schedule.owner.userId)}
                  mayStop={role === 'manage' || mayChange(schedule.owner.userId)}
                  editor={(open, onOpenChange) => (
                    <ScheduleDialog {...form} schedule={schedule} open={open} onOpenChange={onOpenChange} />
                  )}
                />
              ))}
            </ul>
          )
        }
      </QueryGate>
      <ScheduleDialog {...form} open={isCreating} onOpenChange={setCreating} />
    </Section>
  );
}
