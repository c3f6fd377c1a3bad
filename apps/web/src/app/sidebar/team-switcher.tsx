import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../components/overlay/menu';
import { keysChanged } from '../../features/key/key.api';
import { CreateTeamDialog } from '../../features/team/components/create-team-dialog';
import { useTeam, useTeams } from '../../features/access/hooks/use-team';
import { unsavedWork } from '../../lib/form/unsaved-work';
import { chooseTeam } from '../../features/access/team-choice';

/** Which team the pages show, and another one to change to. */
export function TeamSwitcher() {
  const teams = useTeams();
  const team = useTeam();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  if (team === null) return null;
  const change = async (teamId: string) => {
    if (teamId === team.id || !(await unsavedWork.mayLeave())) return;
    chooseTeam(teamId);
    // The page may be about something of the team before.
    void navigate({ to: '/' });
  };
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Team: ${team.name}`}
            className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-start text-sm text-muted transition-colors hover:bg-hover hover:text-text pointer-coarse:py-2.5"
          >
            <span className="min-w-0 flex-1 truncate font-medium">
              <bdi>{team.name}</bdi>
            </span>
            <ChevronsUpDown size={14} aria-hidden="true" className="shrink-0 text-faint" />
          </button>
        }
      >
        <MenuLabel>Teams</MenuLabel>
        {teams.map(({ id, name }) => (
          <MenuChoice key={id} checked={id === team.id} onSelect={() => void change(id)}>
            {name}
          </MenuChoice>
        ))}
        <MenuSeparator />
        <MenuItem icon={<Plus size={15} />} onSelect={() => setCreating(true)}>
          New team…
        </MenuItem>
      </Menu>
      <CreateTeamDialog open={isCreating} onOpenChange={setCreating} onCreated={() => keysChanged(queries)} />
    </>
  );
}
