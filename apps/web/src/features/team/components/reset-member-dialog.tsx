import type { Member } from '@chirality/contracts';
import { Button } from '../../../components/ui/button';
import { Dialog } from '../../../components/overlay/dialog';
import { DialogEnd } from '../../../components/form/form-end';
import { useResetMemberPassword } from '../team.api';
import { OneTimeLink } from './one-time-link';

/** For a member who cannot sign in: makes a link with which they set a new password. */
export function ResetMemberDialog({
  teamId,
  member,
  onClose,
}: {
  teamId: string;
  member: Member;
  onClose: () => void;
}) {
  const reset = useResetMemberPassword(teamId);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={`Reset ${member.name}’s password`}>
      {reset.data === undefined ? (
        <>
          <p className="text-muted">
            Creates a link with which {member.name} sets a new password. The current password keeps working until then;
            afterwards all their devices are signed out.
          </p>
          <DialogEnd error={reset.error}>
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" busy={reset.isPending} onClick={() => reset.mutate(member.userId)}>
              Create link
            </Button>
          </DialogEnd>
        </>
      ) : (
        <OneTimeLink
          title={reset.data.mailed ? `Link e-mailed to ${member.email}` : `Send this link to ${member.email}`}
          link={reset.data.link}
          testId="reset-link"
        >
          Single use; works for a day. Anyone who has it can set the password.
        </OneTimeLink>
      )}
    </Dialog>
  );
}
