import { Link } from '@tanstack/react-router';
import { ChartColumn, Drama, PanelLeftClose, Search, Settings, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/ui/icon-button';
import { Logo } from '../../components/ui/logo';
import { MODIFIER } from '../../lib/keyboard/use-shortcut';
import { AccountMenu } from './account-menu';
import { DemoNote } from '../../features/key/components/demo-note';
import { SessionTree } from './session-tree';
import { TeamSwitcher } from './team-switcher';

const NAV =
  'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-muted transition-colors hover:bg-hover hover:text-text data-[status=active]:bg-pressed data-[status=active]:text-text pointer-coarse:py-2.5';

function NavLink({
  to,
  icon,
  children,
}: {
  to: '/personas' | '/cost' | '/team' | '/settings';
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <Link to={to} className={NAV}>
      {icon}
      {children}
    </Link>
  );
}

export function Sidebar({ onSearch, onCollapse }: { onSearch: () => void; onCollapse?: () => void }) {
  return (
    <nav aria-label="Projects and sessions" className="flex h-full flex-col">
      <div className="flex items-center gap-2 px-3 pt-3 pb-2">
        <Link
          to="/"
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-md px-1 py-0.5 text-lg font-semibold tracking-tight"
        >
          <Logo size={24} />
          Chirality
        </Link>
        {onCollapse !== undefined && (
          <IconButton label="Hide the sidebar" onClick={onCollapse}>
            <PanelLeftClose size={17} />
          </IconButton>
        )}
      </div>
      <div className="px-3 pb-1">
        <TeamSwitcher />
      </div>
      <div className="px-3 pb-2">
        <button
          type="button"
          onClick={onSearch}
          className="flex w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 py-1.5 text-muted transition-colors hover:border-line-strong pointer-coarse:py-2.5"
        >
          <Search size={15} aria-hidden="true" />
          <span className="flex-1 text-start">Search or go to…</span>
          <kbd className="rounded-sm bg-sunken px-1.5 font-sans text-xs text-faint pointer-coarse:hidden">
            {MODIFIER} K
          </kbd>
        </button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        <SessionTree />
      </div>
      <div className="stack gap-0.5 border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <DemoNote />
        <NavLink to="/personas" icon={<Drama size={16} aria-hidden="true" />}>
          Personas
        </NavLink>
        <NavLink to="/cost" icon={<ChartColumn size={16} aria-hidden="true" />}>
          Cost
        </NavLink>
        <NavLink to="/team" icon={<Users size={16} aria-hidden="true" />}>
          Team
        </NavLink>
        <NavLink to="/settings" icon={<Settings size={16} aria-hidden="true" />}>
          Settings
        </NavLink>
        <AccountMenu />
      </div>
    </nav>
  );
}
