import type { Project } from '@chirality/contracts';
import { useNavigate } from '@tanstack/react-router';
import { Archive, Ellipsis, Pencil } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../../components/overlay/confirm-dialog';
import { IconButton } from '../../../components/ui/icon-button';
import { Menu, MenuItem } from '../../../components/overlay/menu';
import { RenameDialog } from '../../../components/overlay/rename-dialog';
import { useArchiveProject, useRenameProject } from '../project.api';
import { ProjectAtStake } from './project-at-stake';
import { ProjectWork } from './project-work';

export function ProjectMenu({ project }: { project: Project }) {
  const [isRenaming, setRenaming] = useState(false);
  const [isArchiving, setArchiving] = useState(false);
  const navigate = useNavigate();
  const rename = useRenameProject(project.id);
  // Not waited for: a form with unsaved words on this page may hold it up, and the project is archived all the same.
  const archive = useArchiveProject(project.id, () => void navigate({ to: '/' }));
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
        <MenuItem icon={<Archive size={15} />} danger onSelect={() => setArchiving(true)}>
          Archive
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
    </>
  );
}
