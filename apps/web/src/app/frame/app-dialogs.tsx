import { CreateProjectDialog } from '../../features/project/components/create-project-dialog';
import { useTeam } from '../../features/access/hooks/use-team';
import { NewSessionDialog } from '../start/new-session-dialog';
import { closeAppDialog, useAppDialog } from '../services/app-dialog';
import { ShortcutsDialog } from './shortcuts-dialog';

/** The dialogs that are opened from any page. */
export function AppDialogs() {
  const dialog = useAppDialog();
  const team = useTeam();
  const follow = (open: boolean) => !open && closeAppDialog();
  return (
    <>
      <ShortcutsDialog open={dialog?.name === 'shortcuts'} onOpenChange={follow} />
      <CreateProjectDialog teamId={team?.id} open={dialog?.name === 'new-project'} onOpenChange={follow} />
      {dialog?.name === 'new-session' && <NewSessionDialog projectId={dialog.projectId} open onOpenChange={follow} />}
    </>
  );
}
