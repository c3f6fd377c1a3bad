import { Link } from '@tanstack/react-router';
import { PanelLeftOpen, Search } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button';
import { Logo } from '../../components/ui/logo';

/** What is left of the sidebar while it is hidden. */
export function SidebarRail({ onExpand, onSearch }: { onExpand: () => void; onSearch: () => void }) {
  return (
    <nav
      aria-label="Navigation"
      className="flex w-13 shrink-0 flex-col items-center gap-1 border-e border-line bg-sidebar py-3 max-md:hidden"
    >
      <Link to="/" aria-label="Projects" className="mb-1 rounded-md">
        <Logo size={24} />
      </Link>
      <IconButton label="Show the sidebar" onClick={onExpand}>
        <PanelLeftOpen size={17} />
      </IconButton>
      <IconButton label="Search or go to…" onClick={onSearch}>
        <Search size={17} />
      </IconButton>
    </nav>
  );
}
