import { PresenceWatch } from './presence-watch';

describe('the presence of people who may answer', () => {
  let now = 0;
  let people: () => Promise<number>;
  let absences = 0;
  let changes: boolean[] = [];
  let presence: PresenceWatch;

  beforeEach(() => {
    jest.useFakeTimers();
    now = 0;
    absences = 0;
    changes = [];
    people = async () => 0;
    presence = new PresenceWatch(
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
    presence.end();
    jest.useRealTimers();
  });

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5_000) {
      now += 5_000;
      await jest.advanceTimersByTimeAsync(5_000);
    }
  }

  it('reports when no one was present for the limit, and not before', async () => {
    presence.begin(false);
    await pass(55_000);
    expect(absences).toBe(0);
    await pass(10_000);
    expect(absences).toBeGreaterThan(0);
  });

  it('starts over when someone joins and leaves', async () => {
    presence.begin(false);
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
    presence.begin(false);
    await pass(10_000);
    people = async () => 0;
    await pass(10_000);
    people = async () => 2;
    await pass(10_000);
    expect(changes).toEqual([true, false]);
  });

  it('waits 31 minutes for a person who is present', async () => {
    people = async () => 1;
    presence.begin(false);
    await pass(31 * 60_000);
    expect(absences).toBe(0);
  });

  it('counts no one as absent while it cannot know', async () => {
    people = () => Promise.reject(new Error('database away'));
    presence.begin(false);
    await pass(200_000);
    expect(absences).toBe(0);
  });

  it('is over when nothing waits', async () => {
    presence.begin(false);
    await pass(50_000);
    presence.end();
    await pass(100_000);
    expect(absences).toBe(0);
  });
});
