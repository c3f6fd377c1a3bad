import type { LoginResponse } from '@chirality/contracts';
import { FakeClock, settle } from '../../../test/fake-clock';
import { ApiError, networkError } from '../../lib/http/api-error';
import { AuthKeeper, SignedOutError } from './auth-keeper';

const USER = { id: 'user_1', email: 'ada@example.test', name: 'Ada', mustChangePassword: false };
const TTL_MS = 600_000;

function build() {
  const clock = new FakeClock();
  const announced: string[] = [];
  const memory = { isSignedIn: true };
  let issued = 0;
  const server = {
    refreshes: 0,
    answer: (): Promise<LoginResponse> => Promise.resolve(server.login()),
    login: (): LoginResponse => ({
      accessToken: `token-${(issued += 1)}`,
      expiresAt: new Date(clock.now() + TTL_MS).toISOString(),
      user: USER,
    }),
  };
  const keeper = new AuthKeeper({
    clock,
    serverNow: () => clock.now(),
    refresh: () => {
      server.refreshes += 1;
      return server.answer();
    },
    maySignIn: () => Promise.resolve(memory.isSignedIn),
    remember: (isSignedIn) => (memory.isSignedIn = isSignedIn),
    logout: () => Promise.resolve(),
    announce: (change) => announced.push(change),
  });
  return { clock, keeper, server, announced, memory };
}

const refused = () => Promise.reject(new ApiError({ status: 401, code: 'UNAUTHENTICATED', detail: 'no' }));

describe('who is signed in', () => {
  it('is found out from the cookie after a reload', async () => {
    const { keeper } = build();
    await keeper.start();
    expect(keeper.state.get()).toEqual({ status: 'signed-in', user: USER });
  });

  it('is not asked of the server by a browser that is signed out', async () => {
    const { keeper, server, memory } = build();
    memory.isSignedIn = false;
    await keeper.start();
    expect([keeper.state.get().status, server.refreshes]).toEqual(['signed-out', 0]);
    expect(keeper.wasEndedByServer).toBe(false);
  });

  it('is remembered until the sign-in ends', async () => {
    const { keeper, memory } = build();
    memory.isSignedIn = false;
    keeper.adopt({ accessToken: 'token', expiresAt: new Date(TTL_MS).toISOString(), user: USER }, { announce: false });
    expect(memory.isSignedIn).toBe(true);
    await keeper.signOut();
    expect(memory.isSignedIn).toBe(false);
    expect(keeper.wasEndedByServer).toBe(false);
  });

  it('is no one when the server does not know the cookie', async () => {
    const { keeper, server } = build();
    server.answer = refused;
    await keeper.start();
    expect(keeper.state.get().status).toBe('signed-out');
    await expect(keeper.token()).rejects.toBeInstanceOf(SignedOutError);
    expect(server.refreshes).toBe(1);
    expect(keeper.wasEndedByServer).toBe(true);
  });

  it('stays open while nothing answers, and is asked again', async () => {
    const { keeper, server, clock } = build();
    const answer = server.answer;
    server.answer = () => Promise.reject(networkError());
    await keeper.start();
    expect(keeper.state.get().status).toBe('unreachable');
    server.answer = answer;
    await clock.advance(10_000);
    expect(keeper.state.get().status).toBe('signed-in');
  });
});

describe('the access token', () => {
  it('is renewed once for all callers', async () => {
    const { keeper, server } = build();
    const tokens = await Promise.all([keeper.token(), keeper.renew(), keeper.token()]);
    expect(new Set(tokens).size).toBe(1);
    expect(server.refreshes).toBe(1);
  });

  it('is used until shortly before its end, and renewed before that', async () => {
    const { keeper, server, clock } = build();
    await keeper.start();
    await clock.advance(TTL_MS - 80_000);
    expect(await keeper.token()).toBe('token-1');
    await clock.advance(10_000);
    expect(server.refreshes).toBe(2);
    expect(await keeper.token()).toBe('token-2');
  });

  it('is announced to every subscriber, each time', async () => {
    const { keeper } = build();
    const told: string[] = [];
    keeper.onToken((token) => told.push(token));
    await keeper.start();
    await keeper.renew();
    expect(told).toEqual(['token-1', 'token-2']);
  });

  it('leaves the person signed in when a renewal finds no network', async () => {
    const { keeper, server, clock } = build();
    await keeper.start();
    const answer = server.answer;
    server.answer = () => Promise.reject(networkError());
    await clock.advance(TTL_MS);
    expect(keeper.state.get().status).toBe('signed-in');
    server.answer = answer;
    await clock.advance(10_000);
    expect(await keeper.token()).toMatch(/^token-/);
  });
});

describe('several tabs', () => {
  it('sign out together', async () => {
    const { keeper, announced } = build();
    await keeper.start();
    await keeper.signOut();
    expect(announced).toEqual(['signed-out']);
    expect(keeper.state.get().status).toBe('signed-out');

    const other = build();
    await other.keeper.start();
    other.keeper.heard('signed-out');
    expect(other.keeper.state.get().status).toBe('signed-out');
  });

  it('sign in together', async () => {
    const { memory, keeper, server } = build();
    const answer = server.answer;
    server.answer = refused;
    await keeper.start();
    server.answer = answer;
    memory.isSignedIn = true;
    keeper.heard('signed-in');
    await settle();
    expect(keeper.state.get().status).toBe('signed-in');
  });
});
