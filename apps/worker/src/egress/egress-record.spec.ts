import { EgressRecord } from './egress-record';
import type { EgressLogRow } from './egress.types';

function setUp(add: (rows: EgressLogRow[]) => Promise<void> = async () => undefined) {
  const stored: EgressLogRow[][] = [];
  const told: string[] = [];
  const warnings: object[] = [];
  const record = new EgressRecord(
    {
      projectId: 'proj_1',
      sessionId: 'sess_1',
      turnId: 'turn_1',
      userId: 'user_1',
      onRefused: ({ host, port, decision }) => void told.push(`${host}:${port} ${decision}`),
    },
    {
      add: async (rows) => {
        await add(rows);
        stored.push(rows);
      },
    },
    { info: () => undefined, warn: (facts) => void warnings.push(facts) },
  );
  return { record, stored, told, warnings };
}

describe('what is recorded of a turn’s connections', () => {
  it('is one row per host, port and decision, with how often', async () => {
    const { record, stored, told } = setUp();
    for (let i = 0; i < 1_000; i += 1) record.note('a.example', 443, 'allowed');
    record.note('a.example', 80, 'not_listed');
    record.note('a.example', 80, 'not_listed');
    await record.flush();
    await record.flush();
    expect(stored.map((rows) => rows.map(({ host, port, decision, count }) => [host, port, decision, count]))).toEqual([
      [
        ['a.example', 443, 'allowed', 1_000],
        ['a.example', 80, 'not_listed', 2],
      ],
    ]);
    expect(told).toEqual(['a.example:80 not_listed']);
  });

  it('is bounded, whatever a program tries, and people are notified of few', async () => {
    const { record, stored, told } = setUp();
    for (let i = 0; i < 5_000; i += 1) record.note(`h${i}.example`, 443, 'not_listed');
    await record.flush();
    expect(stored[0]).toHaveLength(201);
    expect(stored[0]?.at(-1)).toMatchObject({ host: '(others)', port: 0, decision: 'not_listed', count: 4_800 });
    expect(told).toHaveLength(20);
  });

  it('goes to the service’s log where it cannot be stored', async () => {
    const { record, warnings } = setUp(async () => {
      throw new Error('away');
    });
    record.note('a.example', 443, 'not_listed');
    await record.flush();
    expect(warnings).toMatchObject([
      { turn: 'turn_1', rows: [{ host: 'a.example', port: 443, decision: 'not_listed', count: 1 }] },
    ]);
  });
});
