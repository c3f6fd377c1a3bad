import { builtinModules } from 'node:module';
import { circlesOf, shortestCircle } from '../launcher/structure/circles.mjs';
import { isWithin, MAX_FILES, ROOMS, SMALL_ROOMED } from '../launcher/structure/rooms.mjs';
import {
  againstDirection,
  fileGraph,
  handWritten,
  importsOf,
  lineFigures,
  PROJECTS,
  roomCircles,
  roomGraph,
  roomIn,
  sourcesOf,
  textOf,
} from '../launcher/structure/structure.mjs';

/** Every source file with what it imports when it runs. */
const imports = importsOf(PROJECTS.flatMap(sourcesOf), { types: false });

describe('the sources', () => {
  it('have no circle of imports', () => {
    const graph = fileGraph(imports);
    expect(imports.size).toBeGreaterThan(100);
    expect(circlesOf(graph).map((circle) => shortestCircle(graph, circle).join(' → '))).toEqual([]);
  });

  it('count every figure that there is', () => {
    const text = [...imports.keys()].map(textOf).join('\n');
    const figures = [...textOf('libs/platform/src/metrics/metrics.ts').matchAll(/^ {2}(\w+): new /gm)].map(
      ([, name]) => name,
    );
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((name) => !new RegExp(`\\bmetrics\\.${name}\\b`).test(text))).toEqual([]);
  });

  it('need nothing at run time that is not installed for running', () => {
    const { dependencies, optionalDependencies } = JSON.parse(textOf('package.json'));
    const served = [...imports].filter(([file]) => !file.startsWith('apps/web/') && !file.startsWith('libs/testing/'));
    const packages = served.flatMap(([file, targets]) =>
      targets.filter((target) => !target.startsWith('.')).map((target) => ({ name: packageOf(target), file })),
    );
    const undeclared = packages.filter(
      ({ name }) =>
        !(name in dependencies) &&
        !(name in optionalDependencies) &&
        !name.startsWith('@chirality/') &&
        !builtinModules.includes(name),
    );
    expect(undeclared).toEqual([]);
  });
});

it('the web names the keys of its cache in request files alone', () => {
  const elsewhere = handWritten('apps/web').filter((file) => !/(\.api|shared-keys)\.ts$/.test(file));
  expect(elsewhere.length).toBeGreaterThan(100);
  expect(elsewhere.filter((file) => /queryKey: \[|QueryData\(\[/.test(textOf(file)))).toEqual([]);
});

describe.each(Object.keys(ROOMS))('the rooms of %s', (app) => {
  const rooms = roomGraph(app);

  it('have no circle, type imports included', () => {
    expect(rooms.size).toBeGreaterThan(10);
    expect(roomCircles(rooms).flatMap(({ steps }) => steps)).toEqual([]);
  });

  it('import in one direction, type imports included', () => {
    expect(againstDirection(app, rooms)).toEqual([]);
    const named = (ROOMS[app] ?? []).flatMap((layer) => layer.rooms ?? []);
    expect(named.filter((name) => ![...rooms.keys()].some((room) => isWithin(room, name)))).toEqual([]);
  });
});

it('nine of ten sources have at most 150 lines, and no file has more than 400', () => {
  expect(lineFigures(PROJECTS.flatMap(sourcesOf)).p90).toBeLessThanOrEqual(150);
  expect(lineFigures(PROJECTS.flatMap(handWritten)).list.filter(({ lines }) => lines > 400)).toEqual([]);
});

it.each(SMALL_ROOMED)(`the rooms of %s have at most ${MAX_FILES} files, tests included`, (app) => {
  const files = handWritten(app).map(roomIn);
  const counts = [...new Set(files)].map((room) => ({ room, count: files.filter((each) => each === room).length }));
  expect(counts.filter(({ count }) => count > MAX_FILES)).toEqual([]);
});

/** @param {string} target */
function packageOf(target) {
  const [first = '', second] = target.replace(/^node:/, '').split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
