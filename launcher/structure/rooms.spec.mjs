import { join } from 'node:path';
import { Linter } from 'eslint';
import { circlesOf, shortestCircle } from './circles.mjs';
import { roomsPlugin } from './lint-rooms.mjs';
import { directionFault, roomOf, TOP } from './rooms.mjs';
import { roomCircles } from './structure.mjs';

/** @type {(file: string, text: string) => number[]} */
const lines = (file, text) =>
  new Linter({ cwd: '/checkout' })
    .verify(
      text,
      { files: ['**/*.ts'], plugins: { rooms: roomsPlugin }, rules: { 'rooms/direction': 'error' } },
      join('/checkout', file),
    )
    .map(({ line }) => line);

describe('the rooms of an application', () => {
  it.each([
    ['apps/api/src/main.ts', 'apps/api', TOP],
    ['apps/api/src/turn/turns.service.ts', 'apps/api', 'turn'],
    ['apps/api/src/core/tokens.ts', 'apps/api', 'core'],
    ['apps/api/src/core/http/../problem/problems', 'apps/api', 'core/problem'],
    ['apps/web/src/features/turn/api/list-turns.ts', 'apps/web', 'features/turn'],
    ['apps/web/src/lib/clock.ts', 'apps/web', 'lib'],
  ])('%s stands in %s, %s', (path, app, room) => {
    expect(roomOf(path)).toEqual({ app, room });
  });

  it.each(['apps/api/test/api-client.ts', 'libs/domain/src/turn/transition.ts'])('%s stands in none', (path) => {
    expect(roomOf(path)).toBe(null);
  });

  it('import their own layer and those below it', () => {
    /** @type {(from: string, to: string) => boolean} */
    const may = (from, to) => directionFault('apps/api', from, to) === null;
    /** @type {[string, string][]} */
    const pairs = [
      ['turn', 'core'],
      ['turn', 'budget'],
      ['live', 'turn'],
      [TOP, 'live'],
      ['core', 'access'],
      ['access', 'turn'],
      ['turn', 'live'],
      ['live', 'server'],
    ];
    expect(pairs.map(([from, to]) => may(from, to))).toEqual([true, true, true, true, false, false, false, false]);
  });

  it('of the web compose features in app alone', () => {
    /** @type {(from: string, to: string) => boolean} */
    const may = (from, to) => directionFault('apps/web', from, to) === null;
    /** @type {[string, string][]} */
    const allowed = [
      ['app/session', 'features/session'],
      ['features/session', 'features/access'],
      ['features/session', 'components/ui'],
      ['features/options', 'features/model'],
      ['components/ui', 'lib/text'],
    ];
    /** @type {[string, string][]} */
    const against = [
      ['features/session', 'app/services'],
      ['features/session', 'features/team'],
      ['features/access', 'features/session'],
      ['components/ui', 'features/access'],
      ['components/ui', 'app'],
      ['lib', 'components/ui'],
    ];
    expect(allowed.filter(([from, to]) => !may(from, to))).toEqual([]);
    expect(against.filter(([from, to]) => may(from, to))).toEqual([]);
    const text = [
      "import { live } from '../../app/services/services';",
      "import { a } from '../team/a';",
      "import { b } from './b';",
    ];
    expect(lines('apps/web/src/features/session/c.ts', text.join('\n'))).toEqual([1, 2]);
  });

  it('show an import against the direction where it is written', () => {
    const text = [
      "import { a } from '../core/tokens';",
      "import { b } from '../live/live-sessions';",
      "export * from '../main';",
      "export { c } from './turns.service';",
      "const later = () => import('../server/app.module');",
      "import { d } from 'live';",
    ].join('\n');
    expect(lines('apps/api/src/turn/turns.service.ts', text)).toEqual([2, 3, 5]);
    expect(lines('apps/api/src/server/create-app.ts', text)).toEqual([]);
    expect(lines('apps/worker/src/turn/turns.service.ts', text)).toEqual([3]);
  });
});

describe('circles', () => {
  const graph = new Map([
    ['a', ['b', 'e']],
    ['b', ['c', 'a']],
    ['c', ['a']],
    ['d', ['d']],
    ['e', []],
    ['f', ['a']],
  ]);

  it('are groups that reach each other, without what only leads to them', () => {
    expect(circlesOf(graph)).toEqual([['a', 'b', 'c'], ['d']]);
    expect(circlesOf(new Map([['a', ['e']]]))).toEqual([]);
  });

  it('are shown by a shortest way', () => {
    expect(shortestCircle(graph, ['c', 'a', 'b'])).toEqual(['c', 'a', 'b', 'c']);
    expect(shortestCircle(graph, ['a', 'b', 'c'])).toEqual(['a', 'b', 'a']);
  });

  it('of rooms name the imports that close them, where there are fewest first', () => {
    const rooms = new Map([
      ['session', new Map([['turn', ['session/c.ts imports turn/d.ts', 'session/e.ts imports turn/d.ts']]])],
      ['turn', new Map([['session', ['turn/a.ts imports session/b.ts']]])],
    ]);
    expect(roomCircles(rooms)).toEqual([
      {
        circle: ['session', 'turn'],
        steps: [
          'turn → session: turn/a.ts imports session/b.ts',
          'session → turn: session/c.ts imports turn/d.ts; session/e.ts imports turn/d.ts',
        ],
      },
    ]);
  });
});
