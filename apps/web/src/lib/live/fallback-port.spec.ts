import { FakeClock } from '../../../test/fake-clock';
import { ScriptedSocket } from '../../../test/scripted-socket';
import { Observable } from '../state/observable';
import { FallbackPort } from './fallback-port';

class ScriptedStream extends ScriptedSocket {
  readonly isPolling = new Observable(false);
  abandoned = 0;

  abandon(): void {
    this.connected = false;
    this.abandoned += 1;
  }
}

function build() {
  const [socket, stream, clock] = [new ScriptedSocket(), new ScriptedStream(), new FakeClock()];
  const port = new FallbackPort(socket, stream, clock);
  const said: string[] = [];
  port.onOpen(() => said.push('open'));
  port.onClosed(({ code }) => said.push(`closed ${code}`));
  return { socket, stream, clock, port, said };
}

describe('the way of events', () => {
  it('is a WebSocket wherever one can be opened', () => {
    const { socket, stream, port, said } = build();
    port.connect('token-1');
    socket.accept();
    expect([said, port.transport.get(), stream.connects]).toEqual([['open'], 'websocket', []]);
    socket.drop();
    expect(said).toEqual(['open', 'closed null']);
  });

  it('is a stream where none gets through although the server answers, and page by page where that is held back', () => {
    const { socket, stream, port, said } = build();
    port.connect('token-1');
    socket.refuse();
    expect(stream.connects).toEqual(['token-1']);
    stream.accept();
    expect([said, port.transport.get()]).toEqual([['open'], 'stream']);
    port.emit('session:attach', { session: 's', after: 3 }, () => undefined);
    expect([socket.attaches, stream.attaches.map(({ after }) => after)]).toEqual([[], [3]]);
    stream.isPolling.set(true);
    expect(port.transport.get()).toBe('polling');
  });

  it('is none where the server does not answer either, or says why', () => {
    const { socket, stream, port, said } = build();
    port.connect('token-1');
    socket.refuse();
    stream.refuse();
    port.connect('token-1');
    socket.refuse('UNAUTHENTICATED');
    expect([said, stream.connects]).toEqual([['closed null', 'closed UNAUTHENTICATED'], ['token-1']]);
  });

  it('is a WebSocket again once one gets through, without an end between', async () => {
    const { socket, stream, clock, port, said } = build();
    port.connect('token-1');
    socket.refuse();
    stream.accept();
    port.emit('auth:refresh', { token: 'token-2' });
    await clock.advance(5_000);
    expect(socket.connects).toEqual(['token-1', 'token-2']);
    socket.refuse();
    await clock.advance(19_000);
    expect(socket.connects).toHaveLength(2);
    await clock.advance(1_000);
    socket.accept();
    expect([said, port.transport.get(), stream.abandoned]).toEqual([['open', 'open'], 'websocket', 1]);
  });

  it('begins with a WebSocket after each end', () => {
    const { socket, stream, port, said } = build();
    port.connect('token-1');
    socket.refuse();
    stream.accept();
    stream.drop();
    port.connect('token-2');
    expect([said, socket.connects]).toEqual([
      ['open', 'closed null'],
      ['token-1', 'token-2'],
    ]);
  });
});
