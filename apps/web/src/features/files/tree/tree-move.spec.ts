import { treeMove, type TreeRow } from './tree-move';

const ROWS: TreeRow[] = [
  { depth: 0, isOpen: true }, // src
  { depth: 1, isOpen: false }, // src/deep
  { depth: 1, isOpen: null }, // src/a.ts
  { depth: 0, isOpen: true }, // empty
  { depth: 0, isOpen: null }, // README.md
];

describe('the keys of a tree of files', () => {
  it.each([
    ['ArrowDown', 0, { to: 1 }],
    ['ArrowDown', 4, null],
    ['ArrowUp', 3, { to: 2 }],
    ['ArrowUp', 0, null],
    ['End', 1, { to: 4 }],
    ['Home', 4, { to: 0 }],
    ['Home', 0, null],
    ['ArrowRight', 1, 'toggle'],
    ['ArrowRight', 0, { to: 1 }],
    ['ArrowRight', 3, null],
    ['ArrowRight', 2, null],
    ['ArrowLeft', 0, 'toggle'],
    ['ArrowLeft', 1, { to: 0 }],
    ['ArrowLeft', 2, { to: 0 }],
    ['ArrowLeft', 4, null],
    ['Enter', 0, null],
    ['ArrowDown', -1, null],
  ] as const)('%s on row %d leads to %j', (key, at, move) => {
    expect(treeMove(key, ROWS, at)).toEqual(move);
  });
});
