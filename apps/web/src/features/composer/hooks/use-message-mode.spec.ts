import { modeInForce } from './use-message-mode';

describe('the mode of one’s messages', () => {
  it.each([
    ['planning stays until a plan was approved', { mode: 'plan', plans: 2 }, 2, 'plan'],
    ['and ends with it: the session’s own setting stands again', { mode: 'plan', plans: 2 }, 3, null],
    ['planning that was chosen again after that plan stays', { mode: 'plan', plans: 3 }, 3, 'plan'],
    ['another mode is not a matter of plans', { mode: 'acceptEdits', plans: 0 }, 1, 'acceptEdits'],
    ['no choice stays none', { mode: null, plans: 0 }, 1, null],
  ] as const)('%s', (_, choice, approved, mode) => {
    expect(modeInForce(choice, approved)).toBe(mode);
  });
});
