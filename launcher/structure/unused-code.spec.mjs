import { unusedIn } from './unused-code.mjs';

it('unused exports stand apart from files and dependencies, each with its file', () => {
  const report = {
    files: ['libs/domain/src/left-over.ts'],
    issues: [
      {
        file: 'libs/domain/src/money.ts',
        exports: [{ name: 'addUp', line: 3, col: 14, pos: 60 }],
        types: [{ name: 'Sum' }],
        duplicates: [[{ name: 'cents' }, { name: 'inCents' }]],
        enumMembers: { Coin: [{ name: 'penny' }] },
        unlisted: [],
      },
      { file: 'package.json', devDependencies: [{ name: 'left-pad' }], exports: [] },
    ],
  };
  expect(unusedIn(report)).toEqual({
    exports: ['addUp', 'Sum', 'cents = inCents', 'Coin.penny'].map((name) => `libs/domain/src/money.ts: ${name}`),
    filesAndDependencies: ['libs/domain/src/left-over.ts', 'package.json: left-pad'],
  });
});
