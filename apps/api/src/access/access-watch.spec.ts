import { AccessWatch, type OpenRights, type WatchedAccess } from './access-watch';
import type { Principal } from './principal';

type Reload = (who: Principal) => Promise<Principal | null>;
const person = (role: string) =>
  ({ user: { id: 'user_1', name: role }, familyId: 'tok_1', roles: new Map() }) as unknown as Principal;

class Open implements WatchedAccess {
  who = person('as it was opened');
  readonly sessionId = 'sess_1';
  ended: string | null = null;
  rights: OpenRights[] = [];
  constructor(readonly still: (who: Principal) => Promise<OpenRights | null>) {}
  renew(who: Principal, rights: OpenRights): void {
    this.who = who;
    this.rights.push(rights);
  }
  end(reason: string): void {
    this.ended = reason;
  }
}

describe('watching over what is open', () => {
  let watch: AccessWatch;
  const failures: unknown[] = [];
  const begin = (reload: Reload) =>
    (watch = new AccessWatch(
      reload,
      () => true,
      (error) => failures.push(error),
    ));
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    watch.close();
    jest.useRealTimers();
    failures.length = 0;
  });

  it('ends within a second what a change took away after it was let in and before it was watched', async () => {
    begin(async (who) => who);
    const open = new Open(async () => null);
    watch.watch(open);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(open.ended).toBe('no-access');
  });

  it('checks what is new once, and again with everything else', async () => {
    begin(async (who) => who);
    const open = new Open(async () => ({ mayAnswer: true }));
    watch.watch(open);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(open.rights).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(12_000);
    expect(open.rights).toHaveLength(2);
  });

  it('keeps checking what is new until it can be read', async () => {
    let isAway = true;
    begin(async (who) => {
      if (isAway) throw new Error('away');
      return who;
    });
    const open = new Open(async () => null);
    watch.watch(open);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([open.ended, failures.length]).toEqual([null, 3]);
    isAway = false;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(open.ended).toBe('no-access');
  });

  it('lets no reading that began before a change undo what was read after it', async () => {
    const readings: ((who: Principal) => void)[] = [];
    begin(() => new Promise((resolve) => readings.push(resolve)));
    const open = new Open(async ({ user }) => ({ mayAnswer: user.name !== 'viewer' }));
    watch.watch(open);
    await jest.advanceTimersByTimeAsync(1_000);
    const told = watch.changed({ userId: 'user_1' });
    readings[1]?.(person('viewer'));
    await told;
    readings[0]?.(person('member'));
    await jest.advanceTimersByTimeAsync(0);
    expect([open.who.user.name, open.rights]).toEqual(['viewer', [{ mayAnswer: false }]]);
  });
});
