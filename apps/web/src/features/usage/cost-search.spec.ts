import { readCostSearch, seriesFilterOf, usageFilterOf } from './cost-search';

const team = { id: 'team_1', timezone: 'Asia/Kolkata' };
const now = new Date('2026-03-15T01:00:00.000Z');

describe('the filters of the cost page', () => {
  it('are what the address says, and the defaults where it says nothing or nonsense', () => {
    expect(readCostSearch({ group: 'model', range: 'all', project: 'proj_1' })).toEqual({
      group: 'model',
      range: 'all',
      project: 'proj_1',
    });
    expect(readCostSearch({ stack: 'model' })).toEqual({ stack: 'model' });
    expect(readCostSearch({ stack: 'session' })).toEqual({});
    expect(readCostSearch({ group: 'nonsense', range: 7, project: '' })).toEqual({});
  });

  it('are asked for in the zone of the team', () => {
    expect(usageFilterOf({ group: 'session', range: 'today', project: 'proj_1' }, team, now)).toEqual({
      groupBy: 'session',
      timezone: 'Asia/Kolkata',
      from: '2026-03-14T18:30:00.000Z',
      teamId: 'team_1',
      projectId: 'proj_1',
    });
    expect(usageFilterOf({ range: 'all' }, team, now)).toEqual({
      groupBy: 'user',
      timezone: 'Asia/Kolkata',
      teamId: 'team_1',
    });
    expect(seriesFilterOf({ group: 'session', range: 'all', project: 'proj_1' }, team, now)).toEqual({
      stackBy: 'user',
      timezone: 'Asia/Kolkata',
      teamId: 'team_1',
      projectId: 'proj_1',
    });
  });
});
