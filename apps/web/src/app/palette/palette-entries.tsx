import type { NavigateOptions } from '@tanstack/react-router';
import {
  ChartColumn,
  Drama,
  Folder,
  FolderPlus,
  Keyboard,
  LogOut,
  MessageSquare,
  MessageSquarePlus,
  Moon,
  ScrollText,
  Search,
  Settings,
  Sun,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { chooseTheme } from '../../lib/page/appearance';
import { signOut } from '../../features/access/sign-out';
import { openAppDialog } from '../services/app-dialog';
import { auth } from '../services/services';
import { newSessionProject, type StartPlace } from './new-session-project';

export type PaletteEntry = {
  key: string;
  label: string;
  context: string;
  icon: ReactNode;
  /** Shown instead of the label. */
  content?: ReactNode;
  run: (navigate: (options: NavigateOptions) => void) => void;
};

const STATUS_WORDS = { running: 'running', waiting: 'waiting for you', idle: '', archived: 'archived' } as const;

const PAGES: PaletteEntry[] = [
  {
    key: 'search',
    label: 'Search',
    context: 'Page',
    icon: <Search size={16} />,
    run: (navigate) => navigate({ to: '/search', search: {} }),
  },
  {
    key: 'personas',
    label: 'Personas',
    context: 'Page',
    icon: <Drama size={16} />,
    run: (navigate) => navigate({ to: '/personas' }),
  },
  {
    key: 'cost',
    label: 'Cost',
    context: 'Page',
    icon: <ChartColumn size={16} />,
    run: (navigate) => navigate({ to: '/cost' }),
  },
  {
    key: 'team',
    label: 'Team',
    context: 'Page',
    icon: <Users size={16} />,
    run: (navigate) => navigate({ to: '/team' }),
  },
  {
    key: 'audit',
    label: 'Audit log',
    context: 'Page',
    icon: <ScrollText size={16} />,
    run: (navigate) => navigate({ to: '/team/audit' }),
  },
  {
    key: 'settings',
    label: 'Settings',
    context: 'Page',
    icon: <Settings size={16} />,
    run: (navigate) => navigate({ to: '/settings' }),
  },
  {
    key: 'light',
    label: 'Light theme',
    context: 'Appearance',
    icon: <Sun size={16} />,
    run: () => chooseTheme('light'),
  },
  { key: 'dark', label: 'Dark theme', context: 'Appearance', icon: <Moon size={16} />, run: () => chooseTheme('dark') },
  {
    key: 'shortcuts',
    label: 'Keyboard shortcuts',
    context: 'Help',
    icon: <Keyboard size={16} />,
    run: () => openAppDialog({ name: 'shortcuts' }),
  },
  { key: 'sign-out', label: 'Sign out', context: 'Account', icon: <LogOut size={16} />, run: () => void signOut(auth) },
];

/** What can be started from here by someone who may. */
function startEntries(place: StartPlace, mayCreateProject: boolean): PaletteEntry[] {
  const project = newSessionProject(place);
  return [
    ...(project === null
      ? []
      : [
          {
            key: 'new-session',
            label: 'New session…',
            context: `Start in ${project.name}`,
            icon: <MessageSquarePlus size={16} />,
            run: () => openAppDialog({ name: 'new-session', projectId: project.id }),
          },
        ]),
    ...(mayCreateProject
      ? [
          {
            key: 'new-project',
            label: 'New project…',
            context: 'Start',
            icon: <FolderPlus size={16} />,
            run: () => openAppDialog({ name: 'new-project' }),
          },
        ]
      : []),
  ];
}

/** Sessions first, those that wait or run before the others, then what can be started, projects and pages. */
export function paletteEntries(place: StartPlace, mayCreateProject: boolean): PaletteEntry[] {
  const { projects, sessions } = place;
  const names = new Map(projects.map((project) => [project.id, project.name]));
  const urgency = (session: StartPlace['sessions'][number]) =>
    session.status === 'waiting' ? 0 : session.status === 'running' ? 1 : 2;
  return [
    ...sessions
      .toSorted((a, b) => urgency(a) - urgency(b))
      .map((session): PaletteEntry => ({
        key: session.id,
        label: session.title,
        context: [names.get(session.projectId), STATUS_WORDS[session.status]].filter(Boolean).join(' · '),
        icon: <MessageSquare size={16} />,
        run: (navigate) => navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } }),
      })),
    ...startEntries(place, mayCreateProject),
    ...projects.map((project): PaletteEntry => ({
      key: project.id,
      label: project.name,
      context: 'Project',
      icon: <Folder size={16} />,
      run: (navigate) => navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
    })),
    ...PAGES,
  ];
}
