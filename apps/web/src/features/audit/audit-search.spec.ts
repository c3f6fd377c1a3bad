import { auditFilterOf, dayAfter, readAuditSearch } from './audit-search';

it('an address of the audit page becomes a filter, without what cannot be one', () => {
  expect(readAuditSearch({ person: 'user_1', action: 'user:*', from: '2026-02-01', to: 'yesterday', more: 1 })).toEqual(
    { person: 'user_1', action: 'user:*', from: '2026-02-01', to: undefined },
  );
  const filter = auditFilterOf('team_1', { from: '2026-02-01', to: '2026-02-01' });
  expect(Date.parse(filter.to ?? '') - Date.parse(filter.from ?? '')).toBe(24 * 3_600_000);
  expect(readAuditSearch({ from: '9999-12-31', to: '2026-02-45' })).toEqual({});
  expect(auditFilterOf('team_1', {})).toEqual({ teamId: 'team_1' });
});

it.each([
  ['2026-10-25', '2026-10-26'],
  ['2026-12-31', '2027-01-01'],
  ['2028-02-28', '2028-02-29'],
])('the filter to %s ends where %s begins, however long the day is', (day, next) => {
  expect(dayAfter(day)).toBe(next);
  expect(auditFilterOf('team_1', { to: day }).to).toBe(new Date(`${next}T00:00:00`).toISOString());
});
