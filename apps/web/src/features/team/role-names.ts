import type { Role } from '@chirality/contracts';

export const ROLE_NAMES: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' };

export const ROLE_HINTS: Record<Role, string> = {
  owner: 'Can do everything, including managing owners.',
  admin: 'Invites people, changes roles, sees all spending.',
  member: 'Creates projects and sessions, and sends messages.',
  viewer: 'Can read what is shared.',
};
