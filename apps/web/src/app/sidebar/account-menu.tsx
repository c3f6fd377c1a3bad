import { ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { Avatar } from '../../components/ui/avatar';
import { Keycap } from '../../components/ui/keycap';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../components/overlay/menu';
import { chooseTheme, theme, THEMES, type Theme } from '../../lib/page/appearance';
import { useObservable } from '../../lib/state/use-observable';
import { useUser } from '../../features/access/hooks/use-user';
import { signOut } from '../../features/access/sign-out';
import { openAppDialog } from '../services/app-dialog';
import { auth } from '../services/services';

const THEME_NAMES: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const THEME_ICONS = { system: <Monitor size={15} />, light: <Sun size={15} />, dark: <Moon size={15} /> };

export function AccountMenu() {
  const user = useUser();
  const chosen = useObservable(theme);
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="mt-0.5 flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-start transition-colors hover:bg-hover pointer-coarse:py-2.5"
        >
          <Avatar id={user.id} name={user.name} size={24} />
          <span className="min-w-0 flex-1 truncate font-medium">
            <bdi>{user.name}</bdi>
          </span>
          <ChevronsUpDown size={14} aria-hidden="true" className="text-faint" />
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      {THEMES.map((value) => (
        <MenuChoice key={value} checked={chosen === value} onSelect={() => chooseTheme(value)}>
          {THEME_ICONS[value]} {THEME_NAMES[value]}
        </MenuChoice>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Keyboard size={15} />} onSelect={() => openAppDialog({ name: 'shortcuts' })}>
        <span className="flex-1">Keyboard shortcuts</span>
        <Keycap>?</Keycap>
      </MenuItem>
      <MenuItem icon={<LogOut size={15} />} onSelect={() => void signOut(auth)}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
