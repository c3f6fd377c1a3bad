import type { Session, Visibility } from '@chirality/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Ellipsis, Minimize2, Pencil, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../../components/overlay/menu';
import { RenameDialog } from '../../../components/overlay/rename-dialog';
import { randomId } from '../../../lib/state/random-id';
import { useNotices } from '../../../lib/notices/notices-service';
import { useUser } from '../../access/hooks/use-user';
import {
  optionsQuery,
  useArchiveSession,
  useCompactSession,
  useDeleteSession,
  useRenameSession,
  useRestoreSession,
  useSetVisibility,
} from '../session.api';
import { useTeam } from '../../access/hooks/use-team';
import { actFailure, archivedNotice, deletedNotice } from '../act-notices';
import { mayManage, mayRestore } from '../may-manage';
import { VISIBILITY_NAMES, visibilityName } from '../session-names';
import { ExportItems } from './export-items';
import { SessionOptionsDialog } from './session-options-dialog';

type Props = {
  session: Session;
  title: string;
  mayWrite: boolean;
  isRunning: boolean;
  /** Says what exists only in the session, before it goes. `close`: the person does something about it first. */
  unpushed: (close: () => void) => ReactNode;
};

export function SessionMenu({ session, title, mayWrite, isRunning, unpushed }: Props) {
  const [isRenaming, setRenaming] = useState(false);
  const [isArchiving, setArchiving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const options = useQuery(optionsQuery(session.id)).data;
  const notices = useNotices();
  const me = useUser();
  const role = useTeam(session.teamId)?.role;
  const navigate = useNavigate();
  const rename = useRenameSession(session.id);
  const setVisibility = useSetVisibility(session.id);
  const tellFailure = (what: string) => ({
    onError: (error: unknown) => notices.add(actFailure({ id: session.id, title }, what, error)),
  });
  const compact = useCompactSession(session.id, tellFailure('The conversation was not compacted.'));
  const archive = useArchiveSession(session.id, () => {
    notices.add(archivedNotice({ id: session.id, title }));
    void navigate({ to: '/projects/$projectId', params: { projectId: session.projectId } });
  });
  const remove = useDeleteSession(session.id, () => {
    notices.add(deletedNotice({ id: session.id, title }));
    void navigate({ to: '/projects/$projectId', params: { projectId: session.projectId } });
  });
  const deleteDialog = (
    <ConfirmDialog
      title="Delete this session?"
      confirmLabel="Delete"
      open={isDeleting}
      onOpenChange={setDeleting}
      onConfirm={() => remove.mutateAsync()}
    >
      {isRunning ? 'The running turn will be stopped. ' : ''}No one sees it any longer. For 30 days it can be restored
      with its files and conversation from “Recently deleted” on the project’s page; then it is gone for good.
      {isDeleting && unpushed(() => setDeleting(false))}
    </ConfirmDialog>
  );
  const restore = useRestoreSession(session.id, tellFailure('The session was not restored.'));
  const trigger = (
    <IconButton label="More for this session">
      <Ellipsis size={18} />
    </IconButton>
  );
  const exportItems = <ExportItems session={session} title={title} />;
  const onlyExport = <Menu trigger={trigger}>{exportItems}</Menu>;
  if (session.status === 'archived') {
    if (!mayRestore(session, me.id, role)) return onlyExport;
    return (
      <>
        <Menu trigger={trigger}>
          <MenuItem icon={<ArchiveRestore size={15} />} disabled={restore.isPending} onSelect={() => restore.mutate()}>
            Restore
          </MenuItem>
          <MenuSeparator />
          {exportItems}
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </Menu>
        {deleteDialog}
      </>
    );
  }
  if (!mayWrite) return onlyExport;
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        {mayManage(session, me.id, role) && (
          <MenuItem icon={<SlidersHorizontal size={15} />} onSelect={() => setChanging(true)}>
            Model and options…
          </MenuItem>
        )}
        <MenuItem icon={<Minimize2 size={15} />} disabled={isRunning} onSelect={() => compact.mutate(randomId())}>
          Compact the conversation
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>Visible to</MenuLabel>
        {(Object.keys(VISIBILITY_NAMES) as Visibility[]).map((visibility) => (
          <MenuChoice
            key={visibility}
            checked={session.visibility === visibility}
            onSelect={() => setVisibility.mutate(visibility, tellFailure('Who can see the session was not changed.'))}
          >
            {visibilityName(visibility, session.ownerId === me.id)}
          </MenuChoice>
        ))}
        <MenuSeparator />
        {exportItems}
        <MenuSeparator />
        <MenuItem icon={<Archive size={15} />} onSelect={() => setArchiving(true)}>
          Archive
        </MenuItem>
        {mayManage(session, me.id, role) && (
          <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        )}
      </Menu>
      <RenameDialog
        title="Rename the session"
        open={isRenaming}
        onOpenChange={setRenaming}
        name={title}
        maxLength={200}
        onRename={(name) => rename.mutateAsync(name)}
      />
      {deleteDialog}
      <SessionOptionsDialog session={session} resolved={options} open={isChanging} onOpenChange={setChanging} />
      <ConfirmDialog
        title="Archive this session?"
        confirmLabel="Archive"
        open={isArchiving}
        onOpenChange={setArchiving}
        onConfirm={() => archive.mutateAsync()}
      >
        {isRunning ? 'The running turn will be stopped. ' : ''}The session leaves the lists and takes no more messages.
        You can restore it with its files and conversation.
        {isArchiving && unpushed(() => setArchiving(false))}
      </ConfirmDialog>
    </>
  );
}
