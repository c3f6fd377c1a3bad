import { jsonMove, jsonNodes, jsonSummary, type JsonChoices } from './json-nodes';

const untouched: JsonChoices = { isOpen: new Map(), shown: new Set() };
const VALUE = { name: 'Rex', legs: [4, { left: { front: 1 } }], 'a/b~c': null };

describe('the tree of a JSON value', () => {
  it('shows two levels of it, with the pointer of each line', () => {
    expect(jsonNodes(VALUE, untouched).map(({ path, level, isOpen }) => [path, level, isOpen])).toEqual([
      ['', 1, true],
      ['/name', 2, null],
      ['/legs', 2, true],
      ['/legs/0', 3, null],
      ['/legs/1', 3, false],
      ['/a~1b~0c', 2, null],
    ]);
  });

  it('folds and unfolds what the user chose', () => {
    const isOpen = new Map([
      ['/legs/1', true],
      ['/legs/1/left', true],
    ]);
    expect(jsonNodes(VALUE, { ...untouched, isOpen }).map(({ path }) => path)).toContain('/legs/1/left/front');
    expect(jsonNodes(VALUE, { ...untouched, isOpen: new Map([['', false]]) })).toHaveLength(1);
  });

  it('shows a hundred members until the others are wanted', () => {
    const many = { all: Array.from({ length: 250 }, (_, at) => at) };
    const [, list, ...shown] = jsonNodes(many, untouched);
    expect([list?.hidden, shown.length]).toEqual([150, 100]);
    const [, wanted, ...all] = jsonNodes(many, { ...untouched, shown: new Set(['/all']) });
    expect([wanted?.hidden, all.length]).toEqual([0, 250]);
  });

  it('sums up what is folded or has nothing below it', () => {
    expect([{}, [], { a: 1 }, [1, 2], 'a "b"', 1.5, null, true].map(jsonSummary)).toEqual([
      '{}',
      '[]',
      '{ 1 }',
      '[ 2 ]',
      '"a \\"b\\""',
      '1.5',
      'null',
      'true',
    ]);
  });

  it('is walked by keys', () => {
    const nodes = jsonNodes(VALUE, untouched);
    expect(jsonMove(nodes, 0, 'ArrowDown')).toEqual({ focus: 1 });
    expect(jsonMove(nodes, 0, 'ArrowUp')).toBeNull();
    expect(jsonMove(nodes, 5, 'ArrowDown')).toBeNull();
    expect(jsonMove(nodes, 4, 'ArrowRight')).toEqual({ open: true });
    expect(jsonMove(nodes, 2, 'ArrowRight')).toEqual({ focus: 3 });
    expect(jsonMove(nodes, 2, 'ArrowLeft')).toEqual({ open: false });
    expect(jsonMove(nodes, 4, 'ArrowLeft')).toEqual({ focus: 2 });
    expect(jsonMove(nodes, 1, 'Enter')).toBeNull();
    expect(jsonMove(nodes, 2, ' ')).toEqual({ open: false });
    expect(jsonMove(nodes, 3, 'End')).toEqual({ focus: 5 });
    expect(jsonMove(nodes, 3, 'x')).toBeNull();
  });
});
