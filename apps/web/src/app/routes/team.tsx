import { Link } from '@tanstack/react-router';
import { ScrollText, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Page, Section } from '../../components/ui/page';
import { SkeletonRows } from '../../components/ui/skeleton';
import { TeamGitAccounts } from '../../features/git-account/components/git-accounts-section';
import { InvitationList } from '../../features/team/components/invitation-list';
import { InviteDialog } from '../../features/team/components/invite-dialog';
import { MemberList } from '../../features/team/components/member-list';
import { TeamSettings } from '../../features/team/components/team-settings';
import { TeamDefaults } from '../../features/team/components/team-defaults';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { QueueFigures } from '../../features/worker/components/queue-figures';
import { WorkerList } from '../../features/worker/components/worker-list';
import { useTitle } from '../../lib/page/use-title';

export default function TeamPage() {
  useTitle('Team');
  const team = useTeam();
  const [isInviting, setInviting] = useState(false);
  const mayInvite = isAdmin(team?.role);
  return (
    <Page
      title={team?.name ?? 'Team'}
      description="People and workers."
      actions={
        mayInvite && (
          <>
            <Link
              to="/team/audit"
              aria-label="Audit log"
              className="flex items-center gap-1.5 rounded-md p-2 font-medium text-muted hover:bg-hover hover:text-text phone:px-3 phone:py-1.5"
            >
              <ScrollText size={16} aria-hidden="true" />
              <span className="max-phone:sr-only">Audit log</span>
            </Link>
            <Button variant="primary" icon={<UserPlus size={16} />} onClick={() => setInviting(true)}>
              Invite
            </Button>
          </>
        )
      }
    >
      {team === null ? (
        <SkeletonRows count={4} className="h-14 rounded-lg" />
      ) : (
        <>
          <Section title="Members">
            <MemberList team={team} />
          </Section>
          {mayInvite && <InvitationList teamId={team.id} />}
          {mayInvite && <TeamSettings key={team.id} team={team} />}
          <TeamDefaults team={team} />
          <TeamGitAccounts team={team} />
          <Section title="Queue" description="Turns right now.">
            <QueueFigures />
          </Section>
          <Section title="Workers" description="Processes that run Claude Code.">
            <WorkerList />
          </Section>
          <InviteDialog teamId={team.id} open={isInviting} onOpenChange={setInviting} />
        </>
      )}
    </Page>
  );
}
