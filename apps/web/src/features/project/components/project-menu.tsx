import type { Project } from '@chirality/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Archive, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { Menu, MenuItem } from '../../../components/overlay/menu';
import { RenameDialog } from '../../../components/overlay/rename-dialog';
import { useArchiveProject, useDeleteProject, useRenameProject } from '../project.api';
import { ProjectAtStake } from './project-at-stake';
import { ProjectWork } from './project-work';

export function ProjectMenu({ project }: { project: Project }) {
  const [isRenaming, setRenaming] = useState(false);
  const [isArchiving, setArchiving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const rename = useRenameProject(project.id);
  // Not waited for: a form with unsaved words on this page may hold it up, and the project is archived all the same.
  const archive = useArchiveProject(project.id, () => void navigate({ to: '/' }));
  const remove = useDeleteProject(project.id, () => void navigate({ to: '/' }));
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More for this project">
            <Ellipsis size={18} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={15} />} onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem icon={<Archive size={15} />} onSelect={() => setArchiving(true)}>
          Archive
        </MenuItem>
        <MenuItem icon={<Trash2 size={15} />} danger onSelect={() => setDeleting(true)}>
          Delete…
        </MenuItem>
      </Menu>
      <RenameDialog
        title="Rename the project"
        open={isRenaming}
        onOpenChange={setRenaming}
        name={project.name}
        maxLength={100}
        onRename={(name) => rename.mutateAsync(name)}
      />
      <ConfirmDialog
        title={`Archive “${project.name}”?`}
        confirmLabel="Archive"
        open={isArchiving}
        onOpenChange={setArchiving}
        onConfirm={() => archive.mutateAsync()}
      >
        It leaves the lists, and running turns in it are stopped. Its sessions stay readable with all their files,
        uncommitted work included, and you can restore it from “Show archived” on the projects page.
        <ProjectAtStake projectId={project.id} />
        <ProjectWork projectId={project.id} />
      </ConfirmDialog>
      <ConfirmDialog
        title={`Delete “${project.name}”?`}
        confirmLabel="Delete"
        open={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={() => remove.mutateAsync()}
      >
        Running turns in it are stopped, and no one sees it or its sessions any longer. For 30 days it can be restored
        with everything in it from “Recently deleted” on the projects page; then it is gone for good.
        <ProjectAtStake projectId={project.id} />
        <ProjectWork projectId={project.id} />
      </ConfirmDialog>
    </>
  );
}
