import { pickTeam } from './pick-team';

it('the chosen team is shown while one is in it, else the oldest', () => {
  const teams = [{ id: 'team_1' }, { id: 'team_2' }];
  expect(pickTeam(teams, 'team_2')).toBe(teams[1]);
  expect(pickTeam(teams, 'team_left')).toBe(teams[0]);
  expect(pickTeam(teams, null)).toBe(teams[0]);
  expect(pickTeam([], 'team_1')).toBeNull();
});
