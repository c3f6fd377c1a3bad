import { readSubmodules } from './list-submodules';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

it('joins the links of a commit with what .gitmodules says of their paths', () => {
  const printed = [
    `G${A} lib/one`,
    `G${B} two words`,
    `G${A} unnamed`,
    `P${A}`,
    'Csubmodule.one.path\nlib/one',
    'Csubmodule.one.url\n../one.git',
    'Csubmodule.a.b.c.url\nhttps://git.example.com/two.git',
    'Csubmodule.a.b.c.path\ntwo words',
    'Csubmodule.gone.path\ngone',
    'Csubmodule.cut.url\nhttps://git.exa',
  ].join('\0');
  expect(readSubmodules(printed)).toEqual([
    { path: 'lib/one', commit: A, isHere: true, url: '../one.git' },
    { path: 'two words', commit: B, isHere: false, url: 'https://git.example.com/two.git' },
    { path: 'unnamed', commit: A, isHere: true, url: null },
  ]);
  expect(readSubmodules('')).toEqual([]);
});
