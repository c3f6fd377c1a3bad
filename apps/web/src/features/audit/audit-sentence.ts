import type { AuditEntry } from '@chirality/contracts';

const EFFECTS: Record<string, string> = { allow: 'is allowed', ask: 'is asked about', deny: 'is refused' };

/** What somebody did, after their name. An act that is not known here is shown as it is called. */
export function auditSentence({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string {
  const rule = String(detail['rule'] ?? '');
  const effect = EFFECTS[String(detail['effect'] ?? '')] ?? '';
  switch (action) {
    case 'project:create':
      return 'made the project';
    case 'project:rename':
      return `renamed it from “${String(detail['from'])}” to “${String(detail['to'])}”`;
    case 'project:auto-approve':
      return detail['on'] === true ? 'switched auto-approve on' : 'switched auto-approve off';
    case 'project:strict':
      return detail['on'] === true ? 'made it strict' : 'made it no longer strict';
    case 'project:options':
      return 'changed the default options';
    case 'project-rule:add':
      return `added the rule that ${rule} ${effect}`;
    case 'project-rule:remove':
      return `took away the rule that ${rule} ${effect}`;
    case 'rule:promote':
      return `allowed ${rule} in every session`;
    case 'session:create':
      return 'opened a session';
    case 'policy:bypass':
      return `had a turn ended: ${String(detail['tool'] || 'a tool')} ran although it was not allowed`;
    default:
      return action;
  }
}
