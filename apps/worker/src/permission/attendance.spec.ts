import { Attendance } from './attendance';

describe('attendance', () => {
  let now = 0;
  let people: () => Promise<number>;
  let absences = 0;
  let attendance: Attendance;

  beforeEach(() => {
    jest.useFakeTimers();
    now = 0;
    absences = 0;
    people = async () => 0;
    attendance = new Attendance({ count: () => people(), onAbsent: () => (absences += 1) }, 60_000, () => now);
  });
  afterEach(() => {
    attendance.end();
    jest.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5_000) {
      now += 5_000;
      await jest.advanceTimersByTimeAsync(5_000);
    }
  }

  it('tells when nobody was there for the limit, and not before', async () => {
    attendance.begin();
    await pass(55_000);
    expect(absences).toBe(0);
    await pass(10_000);
    expect(absences).toBeGreaterThan(0);
  });

  it('begins anew when somebody comes and goes', async () => {
    attendance.begin();
    await pass(50_000);
    people = async () => 1;
    await pass(5_000);
    people = async () => 0;
    await pass(55_000);
    expect(absences).toBe(0);
    await pass(15_000);
    expect(absences).toBeGreaterThan(0);
  });

  it('waits 31 minutes for somebody who is there', async () => {
    people = async () => 1;
    attendance.begin();
    await pass(31 * 60_000);
    expect(absences).toBe(0);
  });

  it('takes nobody for absent whom it cannot see', async () => {
    people = () => Promise.reject(new Error('database away'));
    attendance.begin();
    await pass(200_000);
    expect(absences).toBe(0);
  });

  it('is over when nothing waits any more', async () => {
    attendance.begin();
    await pass(50_000);
    attendance.end();
    await pass(100_000);
    expect(absences).toBe(0);
  });
});
