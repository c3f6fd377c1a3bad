import type { ProjectRole } from '@chirality/contracts';

/** Roles in a project, as people read them. */
export const PROJECT_ROLES: { role: ProjectRole; name: string }[] = [
  { role: 'manage', name: 'Can manage' },
  { role: 'write', name: 'Can write' },
  { role: 'read', name: 'Can read' },
];

export function projectRoleName(role: ProjectRole): string {
  return PROJECT_ROLES.find((one) => one.role === role)?.name ?? role;
}
