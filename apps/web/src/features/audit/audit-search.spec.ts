import { auditFilterOf, readAuditSearch } from './audit-search';

it('an address of the audit page becomes a filter, without what cannot be one', () => {
  expect(readAuditSearch({ person: 'user_1', action: 'user:*', from: '2026-02-01', to: 'yesterday', more: 1 })).toEqual({ person: 'user_1', action: 'user:*', from: '2026-02-01', to: undefined });
  const filter = auditFilterOf('team_1', { from: '2026-02-01', to: '2026-02-01' });
  expect(Date.parse(filter.to ?? '') - Date.parse(filter.from ?? '')).toBe(24 * 3_600_000);
  expect(auditFilterOf('team_1', {})).toEqual({ teamId: 'team_1' });
});
