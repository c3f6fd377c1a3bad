import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Callout } from '../../components/ui/callout';
import { ConfirmDialog } from '../../components/overlay/confirm-dialog';
import { Page } from '../../components/ui/page';
import { QueryGate } from '../../components/ui/query-gate';
import { SkeletonRows } from '../../components/ui/skeleton';
import { teamPersonaQuery, useDeleteTeamPersona } from '../../features/persona/persona.api';
import { TeamPersonaView } from '../../features/persona/components/team-persona-view';
import { isAdmin, useTeam } from '../../features/access/hooks/use-team';
import { formatMinute } from '../../lib/format/time';
import { ApiError } from '../../lib/http/api-error';
import { useTitle } from '../../lib/page/use-title';
import { NotFound } from '../frame/route-error';

export default function PersonaPage() {
  const { personaId } = useParams({ from: '/signed-in/personas/$personaId' });
  const persona = useQuery(teamPersonaQuery(personaId));
  const role = useTeam(persona.data?.teamId)?.role;
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  // Nothing of what is unsaved here can be kept any longer, so there is nothing to ask.
  const remove = useDeleteTeamPersona(personaId, () => void navigate({ to: '/personas', ignoreBlocker: true }));
  useTitle(persona.data?.name ?? 'Persona');
  if (persona.error instanceof ApiError && persona.error.isGone) return <NotFound />;
  const isDeleted = persona.data !== undefined && persona.data.deletedAt !== null;
  const mayEdit = isAdmin(role) && !isDeleted;
  return (
    <Page
      title={persona.data?.name ?? ' '}
      description={persona.data === undefined ? ' ' : `${persona.data.key} · version ${persona.data.version}`}
      actions={
        mayEdit && (
          <Button variant="danger" icon={<Trash2 size={15} />} onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )
      }
    >
      {persona.data?.deletedAt != null && (
        <Callout tone="warn" className="mb-5">
          Deleted {formatMinute(persona.data.deletedAt)}. Turns that it shaped still lead here.
        </Callout>
      )}
      <QueryGate query={persona} pending={<SkeletonRows count={4} className="h-24 rounded-lg" />}>
        {(loaded) => <TeamPersonaView key={loaded.id} persona={loaded} mayEdit={mayEdit} />}
      </QueryGate>
      <ConfirmDialog
        title={`Delete “${persona.data?.name ?? ''}”?`}
        confirmLabel="Delete"
        open={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={() => remove.mutateAsync()}
      >
        Sessions that use it cannot send another turn until someone chooses another persona for them. Its versions stay
        readable.
      </ConfirmDialog>
    </Page>
  );
}
