import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button';
import { Dialog } from '../../../components/overlay/dialog';
import { QueryGate } from '../../../components/ui/query-gate';
import { SkeletonRows } from '../../../components/ui/skeleton';
import { messageOf } from '../../../lib/http/api-error';
import { personaQuery, useApprovePersona, useRevokeApproval } from '../persona.api';
import { ORIGIN_NAMES } from '../persona-names';
import { PersonaText } from './persona-text';

type Props = { projectId: string; personaKey: string; mayApprove: boolean; onClose: () => void };

/** A persona's whole text and, for one of the project's files, what approving it would change. */
export function PersonaDialog({ projectId, personaKey, mayApprove, onClose }: Props) {
  const persona = useQuery(personaQuery(projectId, personaKey));
  const approve = useApprovePersona({ projectId, key: personaKey }, onClose);
  const revoke = useRevokeApproval({ projectId, key: personaKey }, onClose);
  const failure = approve.error ?? revoke.error;
  const detail = persona.data;
  const isOwn = detail?.origin === 'project';
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && onClose()}
      title={detail?.name ?? personaKey}
      description={
        detail === undefined
          ? ' '
          : `${ORIGIN_NAMES[detail.origin]}${detail.file === null ? '' : ` · ${detail.file}`}${detail.version === null ? '' : ` · version ${detail.version}`}`
      }
      footer={
        isOwn &&
        mayApprove && (
          <>
            {detail.approval !== null && (
              <Button variant="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
                Revoke approval
              </Button>
            )}
            {detail.approval === null && detail.contentHash !== null && (
              <Button
                variant="primary"
                busy={approve.isPending}
                onClick={() => approve.mutate(detail.contentHash ?? '')}
              >
                Approve this text
              </Button>
            )}
          </>
        )
      }
    >
      <QueryGate query={persona} pending={<SkeletonRows count={3} className="h-12 rounded-lg" />}>
        {(loaded) => <PersonaText persona={loaded} failure={failure === null ? null : messageOf(failure)} />}
      </QueryGate>
    </Dialog>
  );
}
