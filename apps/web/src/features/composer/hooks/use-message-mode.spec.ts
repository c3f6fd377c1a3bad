import type { PermissionItem, TurnView } from '@chirality/domain';
import { approvedPlans } from '../../../lib/permission/plan-text';
import { basedChoice, choiceAt, modeInForce } from './use-message-mode';

const APPROVED = { type: 'permission', kind: 'plan', answer: { outcome: 'allowed' } } as PermissionItem;
const turn = (id: string, ...items: PermissionItem[]) => ({ id, items }) as TurnView;
const transcript = (...turns: TurnView[]) => ({
  turns,
  turnIndex: Object.fromEntries(turns.map(({ id }, at) => [id, at])),
});

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

  it('counts from the first turns that are there, where it was chosen before any of them', () => {
    const early = choiceAt(transcript(), 'plan');
    expect(basedChoice(early, transcript())).toBe(early);
    const newest = transcript(turn('turn_1', APPROVED), turn('turn_2', APPROVED));
    const based = basedChoice(early, newest);
    expect(modeInForce(based, approvedPlans(newest, based.sinceTurnId))).toBe('plan');
    const later = transcript(...newest.turns, turn('turn_3', APPROVED));
    expect(basedChoice(based, later)).toBe(based);
    expect(modeInForce(based, approvedPlans(later, based.sinceTurnId))).toBeNull();
  });

  it('ends with the plan of the very first turn too', () => {
    const first = basedChoice(choiceAt(transcript(), 'plan'), transcript(turn('turn_1')));
    expect(modeInForce(first, approvedPlans(transcript(turn('turn_1', APPROVED)), first.sinceTurnId))).toBeNull();
  });
});
