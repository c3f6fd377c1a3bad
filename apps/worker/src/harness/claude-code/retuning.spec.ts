import type { ControlAnswer, Tuning } from '../harness';
import { retune } from './retuning';

const done = (response: Record<string, unknown>): ControlAnswer => ({ ok: true, response });

function setUp(answers: Record<string, ControlAnswer>) {
  const asked: Record<string, unknown>[] = [];
  const channel = {
    request: (request: Record<string, unknown>) => (
      asked.push(request),
      answers[String(request['subtype'])]
        ? Promise.resolve(answers[String(request['subtype'])]!)
        : new Promise<never>(() => undefined)
    ),
  };
  return { asked, tell: (changes: Partial<Tuning>) => retune(channel, changes) };
}

describe('switching a program to another model or mode', () => {
  it('asks for what differs, and is done when the program names it', async () => {
    const { asked, tell } = setUp({
      set_model: done({ model: 'claude-opus-5-5' }),
      set_permission_mode: done({ mode: 'plan' }),
    });
    expect(await tell({ model: 'opus' })).toBeNull();
    expect(await tell({ permissionMode: 'plan' })).toBeNull();
    expect(await tell({ model: 'claude-opus-5-5', permissionMode: 'plan' })).toBeNull();
    expect(asked).toEqual([
      { subtype: 'set_model', model: 'opus' },
      { subtype: 'set_permission_mode', mode: 'plan' },
      { subtype: 'set_model', model: 'claude-opus-5-5' },
      { subtype: 'set_permission_mode', mode: 'plan' },
    ]);
  });

  it.each<[string, Partial<Tuning>, Record<string, ControlAnswer>]>([
    ['refuses', { model: 'opus' }, { set_model: { ok: false, error: 'no' } }],
    ['names another model', { model: 'opus' }, { set_model: done({ model: 'claude-sonnet-5-5' }) }],
    ['does not say which', { model: 'opus' }, { set_model: done({}) }],
    ['names another mode', { permissionMode: 'plan' }, { set_permission_mode: done({ mode: 'default' }) }],
    [
      'does half of it',
      { model: 'opus', permissionMode: 'plan' },
      { set_model: done({ model: 'claude-opus-5-5' }), set_permission_mode: { ok: false, error: 'no' } },
    ],
  ])('is refused when the program %s', async (_what, changes, answers) => {
    expect(await setUp(answers).tell(changes)).toBe('retune_refused');
  });

  it('is refused, and not asked for, where the name leaves the choice to the program', async () => {
    const { asked, tell } = setUp({ set_model: done({ model: 'claude-opus-5-5' }) });
    expect(await tell({ model: 'opusplan' })).toBe('retune_refused');
    expect(asked).toEqual([]);
  });

  it('is given up in time where the program does not answer', async () => {
    jest.useFakeTimers();
    try {
      const telling = setUp({ set_permission_mode: done({ mode: 'plan' }) }).tell({
        model: 'opus',
        permissionMode: 'plan',
      });
      await jest.advanceTimersByTimeAsync(1_500);
      expect(await telling).toBe('retune_unanswered');
    } finally {
      jest.useRealTimers();
    }
  });
});
