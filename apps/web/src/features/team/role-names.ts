import type { Role } from '@chirality/contracts';

export const ROLE_NAMES: Record<Role, string> = { owner: 'Owner', admin: 'Admin', member: 'Member', viewer: 'Viewer' };

export const ROLE_HINTS: Record<Role, string> = {
  owner: 'May do everything, and give the team away.',
  admin: 'Invites people, sets roles, sees what everybody spends.',
  member: 'Makes projects and sessions, and sends turns.',
  viewer: 'Reads what is shared.',
};
