import { SAMPLE, standingChoice } from './start-target';

const shop = { id: 'proj_shop' };
const blog = { id: 'proj_blog' };

describe('where a first message goes', () => {
  it.each([
    ['what was chosen', 'proj_blog', [shop, blog], true, 'proj_blog'],
    [
      'the first project of the team that is shown now, and not one of the team before',
      'proj_blog',
      [shop],
      true,
      'proj_shop',
    ],
    ['the sample that was chosen', SAMPLE, [shop], true, SAMPLE],
    ['the first project once there is a sample', SAMPLE, [shop], false, 'proj_shop'],
    ['a sample where there is no project', 'proj_blog', [], false, SAMPLE],
  ])('%s', (_, chosen, projects, offersSample, target) => {
    expect(standingChoice(chosen, { projects, offersSample })).toBe(target);
  });
});
