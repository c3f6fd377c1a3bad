import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readAuditSearch } from '../features/audit/audit-search';
import { readFilesSearch } from '../features/files/files-search';
import { readSearchAddress } from '../features/search/search-address';
import { readCostSearch } from '../features/usage/cost-search';
import { BASE_PATH } from '../lib/page/base-path';
import { safeNext } from '../lib/page/safe-next';
import { RootPage } from './frame/root-page';
import { NotFound, RouteError } from './frame/route-error';
import { auth } from './services/services';

const rootRoute = createRootRoute({
  component: RootPage,
  notFoundComponent: () => <NotFound />,
  errorComponent: RouteError,
});

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined } => ({ next: text(search.next) }),
  beforeLoad: ({ search }) => {
    if (auth.state.get().status === 'signed-in') redirect({ throw: true, href: safeNext(search.next) });
  },
  component: lazyRouteComponent(() => import('./routes/sign-in')),
});
const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./routes/forgot-password')),
});
const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./routes/reset-password')),
});
const invitation = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./routes/invitation')),
});
const firstPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/choose-password',
  validateSearch: (search: Record<string, unknown>): { next?: string | undefined } => ({ next: text(search.next) }),
  beforeLoad: ({ location, search }) => {
    const { user } = auth.state.get();
    if (user === null) redirect({ throw: true, to: '/sign-in', search: { next: location.href } });
    else if (!user.mustChangePassword) redirect({ throw: true, href: safeNext(search.next) });
  },
  component: lazyRouteComponent(() => import('./routes/choose-password')),
});

/** Outside the frame of the pages: a person came for one answer. */
const device = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  beforeLoad: ({ location }) => {
    const { user } = auth.state.get();
    if (user === null) redirect({ throw: true, to: '/sign-in', search: { next: location.href } });
    else if (user.mustChangePassword)
      redirect({ throw: true, to: '/choose-password', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./routes/device')),
});

const signedIn = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const { user } = auth.state.get();
    if (user === null) redirect({ throw: true, to: '/sign-in', search: { next: location.href } });
    else if (user.mustChangePassword)
      redirect({ throw: true, to: '/choose-password', search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./frame/app-shell')),
});
const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/projects')),
});
const deleted = createRoute({
  getParentRoute: () => signedIn,
  path: '/deleted',
  component: lazyRouteComponent(() => import('./routes/deleted')),
});
/** Where people look for the list who shorten a project's address. */
const projectsAddress = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  beforeLoad: () => redirect({ throw: true, to: '/', replace: true }),
});
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('./project/project')),
});
const projectSessions = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('./project/project-sessions')),
});
const projectFiles = createRoute({
  getParentRoute: () => project,
  path: 'files',
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import('./project/project-files')),
});
const projectPersonas = createRoute({
  getParentRoute: () => project,
  path: 'personas',
  component: lazyRouteComponent(() => import('./project/project-personas')),
});
const projectSchedules = createRoute({
  getParentRoute: () => project,
  path: 'schedules',
  component: lazyRouteComponent(() => import('./project/project-schedules')),
});
const projectMembers = createRoute({
  getParentRoute: () => project,
  path: 'members',
  component: lazyRouteComponent(() => import('./project/project-members')),
});
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  component: lazyRouteComponent(() => import('./project/project-settings')),
});
/** Where network and variables were before they became part of the settings; links to it still work. */
const formerProjectEnvironment = createRoute({
  getParentRoute: () => project,
  path: 'surroundings',
  beforeLoad: ({ params }) => redirect({ throw: true, to: '/projects/$projectId/settings', params, replace: true }),
});
const personas = createRoute({
  getParentRoute: () => signedIn,
  path: '/personas',
  component: lazyRouteComponent(() => import('./routes/personas')),
});
const newPersona = createRoute({
  getParentRoute: () => signedIn,
  path: '/personas/new',
  component: lazyRouteComponent(() => import('./routes/new-persona')),
});
const persona = createRoute({
  getParentRoute: () => signedIn,
  path: '/personas/$personaId',
  component: lazyRouteComponent(() => import('./routes/persona')),
});
const session = createRoute({
  getParentRoute: () => signedIn,
  path: '/sessions/$sessionId',
  component: lazyRouteComponent(() => import('./routes/session')),
});
const search = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => import('./routes/search')),
});
const cost = createRoute({
  getParentRoute: () => signedIn,
  path: '/cost',
  validateSearch: readCostSearch,
  component: lazyRouteComponent(() => import('./routes/cost')),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team',
  component: lazyRouteComponent(() => import('./routes/team')),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/team/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./routes/audit')),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('./routes/settings')),
});

const noPage = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: lazyRouteComponent(() => import('./routes/no-page')),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signIn,
    forgotPassword,
    resetPassword,
    invitation,
    firstPassword,
    device,
    signedIn.addChildren([
      deleted,
      projects,
      projectsAddress,
      project.addChildren([
        projectSessions,
        projectFiles,
        projectPersonas,
        projectSchedules,
        projectMembers,
        projectSettings,
        formerProjectEnvironment,
      ]),
      personas,
      newPersona,
      persona,
      session,
      search,
      cost,
      team,
      audit,
      settings,
      noPage,
    ]),
  ]),
  basepath: BASE_PATH || '/',
  defaultPreload: 'intent',
  defaultPendingMinMs: 0,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
