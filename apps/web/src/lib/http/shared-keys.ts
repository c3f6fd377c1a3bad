/**
 * The keys of what more than one feature makes stale. Every other key stands beside its query, in a feature's request
 * file.
 */
export const sessionsKey = ['sessions'] as const;

export function projectAuditKey(projectId: string) {
  return ['audit', projectId] as const;
}
