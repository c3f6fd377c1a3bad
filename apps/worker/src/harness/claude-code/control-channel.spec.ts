import { PassThrough } from 'node:stream';
import { ControlChannel } from './control-channel';

const written = (stdin: PassThrough) =>
  String(stdin.read() ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the control channel', () => {
  it('matches answers to requests whatever their order', async () => {
    const stdin = new PassThrough();
    const channel = new ControlChannel(stdin);
    const first = channel.request({ subtype: 'initialize' });
    const second = channel.request({ subtype: 'interrupt' });
    const ids = written(stdin).map((record) => record['request_id'] as string);
    channel.accept(ids[1]!, { ok: true, response: { n: 2 } });
    channel.accept(ids[0]!, { ok: true, response: { n: 1 } });
    expect(await Promise.all([first, second])).toEqual([
      { ok: true, response: { n: 1 } },
      { ok: true, response: { n: 2 } },
    ]);
  });

  it('drops what is said after the end, and answers all who wait', async () => {
    const stdin = new PassThrough();
    const channel = new ControlChannel(stdin);
    const waiting = channel.request({ subtype: 'interrupt' });
    stdin.destroy();
    channel.abandon();
    expect(await waiting).toEqual({ ok: false, error: 'the process is gone' });
    expect(channel.respond('x', {})).toBe(false);
    expect(await channel.request({ subtype: 'interrupt' })).toEqual({ ok: false, error: 'the process is gone' });
  });

  it('survives a pipe that breaks under a write', async () => {
    const stdin = new PassThrough();
    const channel = new ControlChannel(stdin);
    stdin.destroy(new Error('EPIPE'));
    await new Promise((resolve) => stdin.once('close', resolve));
    expect(channel.send({ type: 'user' })).toBe(false);
  });
});
