import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { circlesOf, shortestCircle } from './circles.mjs';
import { directionFault, roomOf } from './rooms.mjs';

const ROOT = join(import.meta.dirname, '../..');
const ENDINGS = ['.ts', '.tsx', '/index.ts', '/index.tsx'];

/** Every project of the workspace, as a path from its root. */
export const PROJECTS = ['apps', 'libs'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
);

/** The text of a file, given as every file here: by its path from the repository's root. */
export function textOf(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** What is written by hand in a project's `src`, tests included. */
export function handWritten(project) {
  return readdirSync(join(ROOT, project, 'src'), { recursive: true })
    .map((name) => join(project, 'src', name.toString()))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('/generated/'))
    .sort();
}

/** The same without tests. */
export function sourcesOf(project) {
  return handWritten(project).filter((file) => !/\.spec\.tsx?$/.test(file));
}

/**
 * What each file imports, as it is written there: all of it, or only what is left when it runs, where types leave no
 * trace.
 */
export function importsOf(files, { types }) {
  return new Map(files.map((file) => [file, specifiersIn(file, types)]));
}

function specifiersIn(file, types) {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const stated = source.statements.filter(
    (node) =>
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      (types || !leavesNoTrace(node)),
  );
  return [...stated.map(({ moduleSpecifier }) => moduleSpecifier.text), ...(types ? namedWithin(source) : [])];
}

/** What `import(…)` names inside a file, as a type or while it runs. */
function namedWithin(source) {
  const found = [];
  const visit = (node) => {
    const name = ts.isImportTypeNode(node)
      ? node.argument.literal
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined;
    if (name && ts.isStringLiteral(name)) found.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function leavesNoTrace(statement) {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly || everyElementIsType(statement.exportClause);
  const clause = statement.importClause;
  if (!clause) return false;
  return clause.isTypeOnly || (clause.name === undefined && everyElementIsType(clause.namedBindings));
}

function everyElementIsType(bindings) {
  return bindings?.elements?.length > 0 && bindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/** From each file to the files that its relative imports mean. */
export function fileGraph(imports) {
  const resolve = (from, target) =>
    ENDINGS.map((ending) => join(dirname(from), target) + ending).find((path) => imports.has(path));
  return new Map(
    [...imports].map(([file, targets]) => [
      file,
      targets.filter((target) => target.startsWith('.')).flatMap((target) => resolve(file, target) ?? []),
    ]),
  );
}

/** From each room of an application to each room that it imports, types included, and for that the imports. */
export function roomGraph(app) {
  const rooms = new Map();
  for (const [file, targets] of fileGraph(importsOf(sourcesOf(app), { types: true }))) {
    const { room } = roomOf(file);
    const imported = rooms.get(room) ?? rooms.set(room, new Map()).get(room);
    for (const target of targets) {
      const to = roomOf(target).room;
      if (to !== room) imported.set(to, [...(imported.get(to) ?? []), `${file} imports ${target}`]);
    }
  }
  return rooms;
}

/** The imports against the direction of an application's layers, each with the reason. */
export function againstDirection(app, rooms = roomGraph(app)) {
  return [...rooms].flatMap(([from, imported]) =>
    [...imported].flatMap(([to, imports]) => {
      const fault = directionFault(app, from, to);
      return fault === null ? [] : imports.map((line) => `${line}: ${fault}`);
    }),
  );
}

/**
 * The circles of rooms, each as its rooms and a shortest way around it, the thinnest step first: there it can be cut.
 */
export function roomCircles(rooms) {
  const graph = new Map([...rooms].map(([room, imported]) => [room, [...imported.keys()]]));
  return circlesOf(graph).map((circle) => {
    const way = shortestCircle(graph, circle);
    const steps = way.slice(1).map((to, index) => ({ from: way[index], to, imports: rooms.get(way[index]).get(to) }));
    return { circle, steps: steps.sort((one, other) => one.imports.length - other.imports.length).map(asLine) };
  });
}

function asLine({ from, to, imports }) {
  const shown = imports.slice(0, 5);
  const more = imports.length > shown.length ? [`and ${imports.length - shown.length} more`] : [];
  return `${from} → ${to}: ${[...shown, ...more].join('; ')}`;
}

/**
 * How many lines the files have: the median, where the longest tenth begins, and the longest; the list goes from short
 * to long.
 */
export function lineFigures(files) {
  const list = files.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }));
  list.sort((one, other) => one.lines - other.lines);
  const at = (share) => list[Math.floor((list.length - 1) * share)]?.lines ?? 0;
  return { list, p50: at(0.5), p90: at(0.9), max: at(1) };
}
