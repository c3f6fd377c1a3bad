import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { circlesOf, shortestCircle } from './circles.mjs';
import { directionFault, roomOf } from './rooms.mjs';

/** @typedef {Map<string, Map<string, string[]>>} RoomGraph From each room to each room that it imports, and for that the imports. */

const ROOT = join(import.meta.dirname, '../..');
const ENDINGS = ['.ts', '.tsx', '/index.ts', '/index.tsx'];

/** Every project of the workspace, as a path from its root. */
export const PROJECTS = ['apps', 'libs'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
);

/**
 * The text of a file, given as every file here: by its path from the repository's root.
 * @param {string} file
 */
export function textOf(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

/**
 * What is written by hand in a project's `src`, tests included.
 * @param {string} project
 */
export function handWritten(project) {
  return readdirSync(join(ROOT, project, 'src'), { recursive: true })
    .map((name) => join(project, 'src', name.toString()))
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('/generated/'))
    .sort();
}

/**
 * The same without tests.
 * @param {string} project
 */
export function sourcesOf(project) {
  return handWritten(project).filter((file) => !/\.spec\.tsx?$/.test(file));
}

/**
 * What each file imports, as it is written there: all of it, or only what is left when it runs, where types leave no
 * trace.
 * @param {string[]} files
 * @param {{ types: boolean }} options
 */
export function importsOf(files, { types }) {
  return new Map(files.map((file) => [file, specifiersIn(file, types)]));
}

/**
 * @param {string} file
 * @param {boolean} types
 */
function specifiersIn(file, types) {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest);
  const stated = source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return [];
    const specifier = node.moduleSpecifier;
    return specifier && ts.isStringLiteral(specifier) && (types || !leavesNoTrace(node)) ? [specifier.text] : [];
  });
  return [...stated, ...(types ? namedWithin(source) : [])];
}

/**
 * @param {ts.Node} node
 * @returns {ts.Node | undefined}
 */
function importedWithin(node) {
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  const isImport = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport ? node.arguments[0] : undefined;
}

/**
 * What `import(…)` names inside a file, as a type or while it runs.
 * @param {ts.SourceFile} source
 */
function namedWithin(source) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    const name = importedWithin(node);
    if (name && ts.isStringLiteral(name)) found.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {ts.ImportDeclaration | ts.ExportDeclaration} statement */
function leavesNoTrace(statement) {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly || everyElementIsType(statement.exportClause);
  const clause = statement.importClause;
  if (!clause) return false;
  return clause.isTypeOnly || (clause.name === undefined && everyElementIsType(clause.namedBindings));
}

/** @param {ts.NamedExportBindings | ts.NamedImportBindings | undefined} bindings */
function everyElementIsType(bindings) {
  if (bindings === undefined || !('elements' in bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

/**
 * From each file to the files that its relative imports mean.
 * @param {Map<string, string[]>} imports
 */
export function fileGraph(imports) {
  const resolve = (/** @type {string} */ from, /** @type {string} */ target) =>
    ENDINGS.map((ending) => join(dirname(from), target) + ending).find((path) => imports.has(path));
  return new Map(
    [...imports].map(([file, targets]) => [
      file,
      targets.filter((target) => target.startsWith('.')).flatMap((target) => resolve(file, target) ?? []),
    ]),
  );
}

/**
 * The room of a file that is in an application's sources.
 * @param {string} file
 */
export function roomIn(file) {
  const found = roomOf(file);
  if (found === null) throw new Error(`${file} stands in no room`);
  return found.room;
}

/**
 * From each room of an application to each room that it imports, types included, and for that the imports.
 * @param {string} app
 */
export function roomGraph(app) {
  /** @type {RoomGraph} */
  const rooms = new Map();
  for (const [file, targets] of fileGraph(importsOf(sourcesOf(app), { types: true }))) {
    const room = roomIn(file);
    /** @type {Map<string, string[]>} */
    const imported = rooms.get(room) ?? new Map();
    for (const target of targets) {
      const to = roomIn(target);
      if (to !== room) imported.set(to, [...(imported.get(to) ?? []), `${file} imports ${target}`]);
    }
    rooms.set(room, imported);
  }
  return rooms;
}

/**
 * The imports against the direction of an application's layers, each with the reason.
 * @param {string} app
 */
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
 * @param {RoomGraph} rooms
 */
export function roomCircles(rooms) {
  const graph = new Map([...rooms].map(([room, imported]) => [room, [...imported.keys()]]));
  return circlesOf(graph).map((circle) => {
    const way = shortestCircle(graph, circle);
    const steps = way.slice(1).map((to, index) => {
      const from = way[index] ?? to;
      return { from, to, imports: rooms.get(from)?.get(to) ?? [] };
    });
    return { circle, steps: steps.sort((one, other) => one.imports.length - other.imports.length).map(asLine) };
  });
}

/** @param {{ from: string, to: string, imports: string[] }} step */
function asLine({ from, to, imports }) {
  const shown = imports.slice(0, 5);
  const more = imports.length > shown.length ? [`and ${imports.length - shown.length} more`] : [];
  return `${from} → ${to}: ${[...shown, ...more].join('; ')}`;
}

/**
 * How many lines the files have: the median, where the longest tenth begins, and the longest; the list goes from short
 * to long.
 * @param {string[]} files
 */
export function lineFigures(files) {
  const list = files.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }));
  list.sort((one, other) => one.lines - other.lines);
  const at = (/** @type {number} */ share) => list[Math.floor((list.length - 1) * share)]?.lines ?? 0;
  return { list, p50: at(0.5), p90: at(0.9), max: at(1) };
}
