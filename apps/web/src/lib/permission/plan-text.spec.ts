import type { PermissionItem, TurnView } from '@chirality/domain';
import { approvedPlans } from './plan-text';

const plan = (outcome: 'allowed' | 'denied') =>
  ({ type: 'permission', kind: 'plan', answer: { outcome } }) as PermissionItem;
const turn = (id: string, ...items: PermissionItem[]) => ({ id, items }) as TurnView;
const transcript = (...turns: TurnView[]) => ({
  turns,
  turnIndex: Object.fromEntries(turns.map(({ id }, at) => [id, at])),
});

describe('the plans that were approved', () => {
  const earlier = turn('turn_1', plan('allowed'));
  const last = turn('turn_2', plan('denied'), plan('allowed'));

  it('are those with a yes, of all turns or from one on', () => {
    expect(approvedPlans(transcript(earlier, last), null)).toBe(2);
    expect(approvedPlans(transcript(earlier, last), 'turn_2')).toBe(1);
  });

  it('are as many from a turn on when earlier turns are loaded', () => {
    expect(approvedPlans(transcript(last), 'turn_2')).toBe(approvedPlans(transcript(earlier, last), 'turn_2'));
  });
});
