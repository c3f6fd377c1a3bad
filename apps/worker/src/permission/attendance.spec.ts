import { Attendance } from './attendance';

describe('attendance', () => {
  let now = 0;
  let people: () => Promise<number>;
  let absences = 0;
  let changes: boolean[] = [];
  let attendance: Attendance;

  beforeEach(() => {
    jest.useFakeTimers();
    now = 0;
    absences = 0;
    changes = [];
    people = async () => 0;
    attendance = new Attendance(
      {
        count: () => people(),
        onAbsent: () => (absences += 1),
        onChange: (isAlone) => changes.push(isAlone),
        onLook: () => undefined,
      },
      60_000,
      () => now,
    );
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

  it('reports when no one was present for the limit, and not before', async () => {
    attendance.begin(false);
    await pass(55_000);
    expect(absences).toBe(0);
    await pass(10_000);
    expect(absences).toBeGreaterThan(0);
  });

  it('starts over when someone joins and leaves', async () => {
    attendance.begin(false);
    await pass(50_000);
    people = async () => 1;
    await pass(5_000);
    people = async () => 0;
    await pass(55_000);
    expect(absences).toBe(0);
    await pass(15_000);
    expect(absences).toBeGreaterThan(0);
  });

  it('reports when the last one leaves and when someone joins, once each', async () => {
    people = async () => 1;
    attendance.begin(false);
    await pass(10_000);
    people = async () => 0;
    await pass(10_000);
    people = async () => 2;
    await pass(10_000);
    expect(changes).toEqual([true, false]);
  });

  it('waits 31 minutes for a person who is present', async () => {
    people = async () => 1;
    attendance.begin(false);
    await pass(31 * 60_000);
    expect(absences).toBe(0);
  });

  it('counts no one as absent while it cannot know', async () => {
    people = () => Promise.reject(new Error('database away'));
    attendance.begin(false);
    await pass(200_000);
    expect(absences).toBe(0);
  });

  it('is over when nothing waits', async () => {
    attendance.begin(false);
    await pass(50_000);
    attendance.end();
    await pass(100_000);
    expect(absences).toBe(0);
  });
});
