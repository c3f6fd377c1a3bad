import { SAMPLE, standingChoice } from './start-target';

const shop = { id: 'proj_shop' };
const blog = { id: 'proj_blog' };

describe('where a first message goes', () => {
  it.each([
    ['what was chosen', 'proj_blog', [shop, blog], true, 'proj_blog'],
    ['the first project where none was chosen and nothing written', 'proj_blog', [shop], true, 'proj_shop'],
    ['the sample that was chosen', SAMPLE, [shop], true, SAMPLE],
    ['the first project once there is a sample', SAMPLE, [shop], false, 'proj_shop'],
    ['a sample where there is no project', 'proj_blog', [], false, SAMPLE],
  ])('%s', (_, chosen, projects, offersSample, target) => {
    expect(standingChoice(chosen, { projects, offersSample }, false)).toBe(target);
  });

  it('to no other project than the one that was meant', () => {
    expect(standingChoice('proj_blog', { projects: [shop, blog], offersSample: true }, true)).toBe('proj_blog');
    expect(standingChoice('proj_blog', { projects: [shop], offersSample: true }, true)).toBeNull();
    expect(standingChoice('proj_blog', { projects: [], offersSample: true }, true)).toBeNull();
    expect(standingChoice(SAMPLE, { projects: [shop], offersSample: false }, true)).toBe('proj_shop');
  });
});
