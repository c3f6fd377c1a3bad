import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { Sheet } from '../../components/overlay/sheet';
import { InstanceBanners } from '../../features/instance/components/instance-banners';
import { ReconnectBanner } from '../../features/instance/components/reconnect-banner';
import { NoticesFromElsewhere } from '../../features/session/components/notice-list';
import { useStoredFlag } from '../../lib/state/use-stored';
import { useIsPhone } from '../../lib/page/use-media';
import { useShortcut } from '../../lib/keyboard/use-shortcut';
import { useDrawer } from '../../lib/page/drawer';
import { Palette } from '../palette/palette';
import { closeAppDialog, useAppDialog } from '../services/app-dialog';
import { AppDialogs } from './app-dialogs';
import { Sidebar } from '../sidebar/sidebar';
import { SidebarRail } from '../sidebar/sidebar-rail';

/** The frame of every page for a signed-in user. */
export default function AppShell() {
  const isPhone = useIsPhone();
  const drawer = useDrawer();
  const [isCollapsed, setCollapsed] = useStoredFlag('sidebar-collapsed', false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  useShortcut('k', openPalette);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { sessionId } = useParams({ strict: false });
  const { close } = drawer;
  const dialog = useAppDialog();
  useEffect(() => close(), [path, dialog, close]);
  useEffect(() => closeAppDialog, [path]);

  return (
    <div className="flex h-full flex-col">
      <a
        href="#main"
        className="sr-only rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:start-3 focus:top-3 focus:z-50"
      >
        Skip to the content
      </a>
      <InstanceBanners />
      <div className="flex min-h-0 flex-1">
        {/* Hidden by the style sheet too: the page is narrow at once, this component once it has rendered again. */}
        {!isPhone && !isCollapsed && (
          <div className="w-68 shrink-0 border-e border-line bg-sidebar max-md:hidden">
            <Sidebar onSearch={openPalette} onCollapse={() => setCollapsed(true)} />
          </div>
        )}
        {!isPhone && isCollapsed && <SidebarRail onExpand={() => setCollapsed(false)} onSearch={openPalette} />}
        <div className="relative min-w-0 flex-1">
          <ReconnectBanner />
          <NoticesFromElsewhere sessionId={sessionId} />
          <Outlet />
        </div>
      </div>
      {isPhone && (
        <Sheet
          open={drawer.isOpen}
          onOpenChange={(open) => (open ? drawer.open() : drawer.close())}
          title="Projects and sessions"
          side="start"
        >
          <Sidebar onSearch={openPalette} />
        </Sheet>
      )}
      <AppDialogs />
      <Palette open={isPaletteOpen} onOpenChange={setPaletteOpen} />
    </div>
  );
}
