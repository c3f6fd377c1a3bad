import type { Permission } from '@chirality/contracts';
import type { PermissionItem } from '@chirality/domain';

import { mergeRequests } from './use-open-requests';

const permission = (id: string, createdAt: string): Permission => ({
  id,
  sessionId: 'sess_1',
  turnId: 'turn_1',
  kind: 'tool',
  toolUseId: `toolu_${id}`,
  tool: 'Bash',
  input: { command: 'make' },
  reason: 'r',
  pattern: null,
  patterns: [],
  agent: null,
  proposal: null,
  parentToolUseId: null,
  status: 'pending',
  outcome: null,
  scope: null,
  resolvedBy: null,
  resolvedReason: null,
  createdAt,
  expiresAt: null,
  resolvedAt: null,
});
const known = (permissionId: string, at: string): PermissionItem => ({
  type: 'permission',
  key: 'e1',
  at,
  parent: null,
  permissionId,
  kind: 'tool',
  toolUseId: 't',
  tool: 'Bash',
  input: {},
  reason: '',
  pattern: null,
  patterns: [],
  agent: null,
  proposal: null,
  expiresAt: null,
  answer: null,
});

describe('requests while nothing comes live', () => {
  it('are those of the conversation and those that were asked for, each once, oldest first', () => {
    const merged = mergeRequests(
      [known('perm_2', '2026-01-01T00:00:02.000Z')],
      [
        permission('perm_2', '2026-01-01T00:00:02.000Z'),
        permission('perm_1', '2026-01-01T00:00:01.000Z'),
        permission('perm_3', '2026-01-01T00:00:03.000Z'),
      ],
    );
    expect(merged.map(({ permissionId, key }) => [permissionId, key])).toEqual([
      ['perm_1', 'permission:perm_1'],
      ['perm_2', 'e1'],
      ['perm_3', 'permission:perm_3'],
    ]);
  });
});
