import type { AuthState } from '../../features/access/auth-keeper';
import { FakeClock, settle } from '../../../test/fake-clock';
import { LiveConnection } from '../../lib/live/live-connection';
import { ScriptedSocket } from '../../../test/scripted-socket';
import { Observable } from '../../lib/state/observable';
import { connectWhileSignedIn } from './connect-while-signed-in';

const OWNER = { id: 'user_1', email: 'owner@chirality.local', name: 'Owner', mustChangePassword: false };

function build() {
  const state = new Observable<AuthState>({ status: 'unknown', user: null });
  const socket = new ScriptedSocket();
  const tokens = { token: () => Promise.resolve('token'), renew: () => Promise.resolve('token') };
  const live = new LiveConnection({ socket, clock: new FakeClock(), tokens, isSignedOut: () => false });
  connectWhileSignedIn(state, live);
  return { state, socket, live };
}

describe('the live connection', () => {
  it('is first tried once the temporary password is replaced', async () => {
    const { state, socket, live } = build();
    state.set({ status: 'signed-in', user: { ...OWNER, mustChangePassword: true } });
    await settle();
    expect([socket.connects, live.status.get()]).toEqual([[], 'idle']);
    state.set({ status: 'signed-in', user: OWNER });
    await settle();
    expect([socket.connects, live.status.get()]).toEqual([['token'], 'connecting']);
  });

  it('ends with the sign-in, and stays while the server cannot be reached', async () => {
    const { state, socket, live } = build();
    state.set({ status: 'signed-in', user: OWNER });
    await settle();
    socket.accept();
    state.set({ status: 'unreachable', user: null });
    expect(live.status.get()).toBe('online');
    state.set({ status: 'signed-out', user: null });
    expect(live.status.get()).toBe('idle');
  });
});
