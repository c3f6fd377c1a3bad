import type { ResolvedOptions, TurnErrorCode } from '@chirality/contracts';
import { namingLimit } from './reached-limit';
import type { Ending } from './turn-ending';

const ended = (code: TurnErrorCode): Ending => ({
  cause: code === 'TURN_TIMEOUT' ? 'time_out' : 'fail',
  error: { code, detail: 'Ended.' },
});
const free: ResolvedOptions = {
  maxTurns: { value: 25, from: 'built-in' },
  timeoutMs: { value: 5_400_000, from: 'session' },
};
const bounded: ResolvedOptions = {
  maxTurns: { value: 3, from: 'project', limit: { value: 3, from: 'project' } },
  timeoutMs: { value: 60_000, from: 'session', limit: { value: 60_000, from: 'team' } },
};
const below: ResolvedOptions = { maxTurns: { value: 2, from: 'turn', limit: { value: 3, from: 'project' } } };

describe('the words for a turn that reached a limit', () => {
  it.each<[string, TurnErrorCode, ResolvedOptions, string]>([
    [
      'model turns of the project',
      'MAX_TURNS',
      bounded,
      'The turn reached the limit of 3 model turns set by the project. Send a message to continue, or ask an admin of the team to raise the limit.',
    ],
    [
      'time of the team',
      'TURN_TIMEOUT',
      bounded,
      'The turn reached the time limit of 1 min set by the team. Send a message to continue, or ask an admin of the team to raise the limit.',
    ],
    [
      'model turns that anyone may raise',
      'MAX_TURNS',
      free,
      'The turn reached its limit of 25 model turns. Send a message to continue, or raise “Max. model turns” (maxTurns).',
    ],
    [
      'time that anyone may raise',
      'TURN_TIMEOUT',
      free,
      'The turn reached its time limit of 1 h 30 min. Send a message to continue, or raise “Time limit” (timeoutMs).',
    ],
    [
      'fewer than the limit',
      'MAX_TURNS',
      below,
      'The turn reached its limit of 2 model turns. Send a message to continue, or raise “Max. model turns” (maxTurns).',
    ],
  ])('%s', (_name, code, options, detail) => {
    expect(namingLimit(ended(code), options)).toEqual({ ...ended(code), error: { code, detail } });
  });

  it('leaves every other ending as it is', () => {
    for (const ending of [
      ended('SILENCE_TIMEOUT'),
      ended('BUDGET_EXCEEDED'),
      { cause: 'succeed', error: null } as const,
    ])
      expect(namingLimit(ending, bounded)).toBe(ending);
    expect(namingLimit(ended('MAX_TURNS'), {})).toEqual(ended('MAX_TURNS'));
  });
});
