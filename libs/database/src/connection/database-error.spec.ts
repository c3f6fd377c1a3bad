import { classifyDatabaseError, isDatabaseUnavailable, violatesUnique } from './database-error';

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('what an error of the database means', () => {
  test.each([
    coded('57P01', 'terminating connection due to administrator command'),
    coded('57P03', 'the database system is starting up'),
    coded('53300', 'sorry, too many clients already'),
    coded('08006'),
    coded('ECONNREFUSED'),
    coded('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
    new Error('Client has encountered a connection error and is not queryable'),
    coded('P1001'),
    Object.assign(new Error('adapter'), { cause: { kind: 'ConnectionClosed' } }),
    // What Prisma's client throws for a state that it has no code for.
    Object.assign(coded('P2039'), {
      meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: '57P03' } } },
    }),
    new Error('outer', { cause: new Error('middle', { cause: coded('ECONNRESET') }) }),
  ])('%s: the server is away', (error) => {
    expect([classifyDatabaseError(error), isDatabaseUnavailable(error)]).toEqual(['unavailable', true]);
  });

  test.each(['40001', '40P01', '55P03', '57014', '53100'])('%s: it may be tried again as it is', (code) => {
    expect([classifyDatabaseError(coded(code)), isDatabaseUnavailable(coded(code))]).toEqual(['contended', true]);
  });

  test.each([
    coded('23505'),
    coded('22021'),
    coded('42P01'),
    new TypeError('x is not a function'),
    'text',
    null,
    undefined,
  ])('%s: it will never succeed', (error) => {
    expect([classifyDatabaseError(error), isDatabaseUnavailable(error)]).toEqual(['rejected', false]);
  });

  test('a violated unique constraint is reported by its name', () => {
    const error = Object.assign(coded('23505'), { constraint: 'user_email_key' });
    expect([
      violatesUnique(error),
      violatesUnique(error, 'user_email_key'),
      violatesUnique(error, 'other'),
      violatesUnique(coded('22021')),
    ]).toEqual([true, true, false, false]);
  });
});
