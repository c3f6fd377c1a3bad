#!/usr/bin/env node
// Damages the stream mapper in one place at a time (a table's entry, a condition, a call) and demands that a row of the
// recordings or a scenario notices. What no test notices is named in `UNNOTICED` with its reason, or fails the check.
//   node apps/worker/test/mutate-mapper.mjs [file …]
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';
import { UNNOTICED } from './unnoticed-mutants.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const harness = resolve(here, '../src/harness/claude-code');
const nodeRequire = createRequire(join(root, 'package.json'));
const swc = nodeRequire('@swc/core');
const ts = nodeRequire('typescript');

/** A mutant that takes longer than this hangs, which would be noticed. */
const MUTANT_LIMIT_MS = 20_000;

// ---- loading TypeScript, with one file replaced
// ------------------------------------------------------------------------

const compiled = new Map();
function compile(file, source) {
  const { code } = swc.transformSync(source, {
    filename: file,
    jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  return vm.compileFunction(code, ['exports', 'require', 'module', '__dirname', '__filename'], { filename: file });
}

/** Modules that do not depend on the mapper are loaded once and for all. */
const shared = new Map();
const dependsOnMapper = (file) => file.startsWith(harness) || /play-recording\.ts$|scenario\.ts$/.test(file);

function load(file, own) {
  const cache = dependsOnMapper(file) ? own.modules : shared;
  const known = cache.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  cache.set(file, module);
  if (!compiled.has(file)) compiled.set(file, compile(file, readFileSync(file, 'utf8')));
  const run = file === own.file ? own.run : compiled.get(file);
  run(module.exports, (name) => requireFrom(file, name, own), module, dirname(file), file);
  return module.exports;
}

function requireFrom(file, name, own) {
  const library = /^@chirality\/([a-z-]+)$/.exec(name);
  if (library) return load(join(root, 'libs', library[1], 'src/index.ts'), own);
  if (!name.startsWith('.')) return nodeRequire(name);
  const base = resolve(dirname(file), name);
  for (const candidate of [`${base}.ts`, join(base, 'index.ts')]) {
    try {
      readFileSync(candidate);
      return load(candidate, own);
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    }
  }
  throw new Error(`${name} not found from ${file}`);
}

// ---- what must notice
// --------------------------------------------------------------------------------------------------

const expected = JSON.parse(readFileSync(join(here, 'expected.json'), 'utf8'));

/** The first row or scenario that is not as expected; null when all are. */
function firstDifference(own) {
  const { observe, expectation } = load(join(here, 'stream-scenarios/scenario.ts'), own);
  const { KNOWN_FAILURES } = load(join(here, 'stream-scenarios/known-failures.ts'), own);
  const { RULES } = load(join(here, 'stream-scenarios/rules.ts'), own);
  for (const scenario of [...KNOWN_FAILURES, ...RULES]) {
    if (!isDeepStrictEqual(observe(scenario), expectation(scenario))) return scenario.name;
  }
  const { playRecording, rowOf } = load(join(here, 'play-recording.ts'), own);
  for (const [name, row] of Object.entries(expected)) {
    const played = JSON.parse(JSON.stringify(rowOf(playRecording(name))));
    if (!isDeepStrictEqual({ ...played, byHand: row.byHand }, row)) return name;
  }
  return null;
}

function isNoticed(own) {
  globalThis.__check = () => firstDifference(own);
  try {
    return vm.runInThisContext('__check()', { timeout: MUTANT_LIMIT_MS }) !== null;
  } catch {
    return true;
  }
}

// ---- mutants
// -----------------------------------------------------------------------------------------------------------

const FLIPPED = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

const isEmpty = (node) => ['null', "''", '{}', '0', '0n'].includes(node.getText());

function mutantsOf(file) {
  const source = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const mutants = [];
  const replace = (node, text, what) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const original = node.getText().replace(/\s+/g, ' ').slice(0, 100);
    mutants.push({
      id: `${relative(harness, file)}: ${what} ${original}`,
      line,
      source: source.slice(0, node.getStart()) + text + source.slice(node.getEnd()),
    });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIfStatement(node)) replace(node.expression, `!(${node.expression.getText()})`, 'negate');
    if (ts.isConditionalExpression(node)) replace(node.condition, `!(${node.condition.getText()})`, 'negate');
    if (ts.isBinaryExpression(node)) {
      const flipped = FLIPPED.get(node.operatorToken.kind);
      if (flipped && !ts.isIfStatement(node.parent) && !ts.isConditionalExpression(node.parent))
        replace(node, `${node.left.getText()} ${flipped} ${node.right.getText()}`, 'flip');
      // An empty alternative only keeps the types right.
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken && !isEmpty(node.right))
        replace(node, `(${node.left.getText()})`, 'drop alternative');
    }
    if (ts.isArrayLiteralExpression(node) && node.elements.length === 2 && ts.isArrayLiteralExpression(node.parent)) {
      const [name, value] = node.elements;
      const isKey = ts.isStringLiteral(name) || ts.isNumericLiteral(name);
      if (isKey && ts.isStringLiteral(value)) replace(value, `'MUTANT'`, `entry ${name.text}:`);
      else if (isKey && !['unused', '() => undefined'].includes(value.getText()))
        replace(value, '() => undefined', `entry ${name.text}:`);
    }
    if (
      ts.isExpressionStatement(node) &&
      (ts.isCallExpression(node.expression) || ts.isBinaryExpression(node.expression))
    )
      replace(node, ';', 'remove');
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
}

// ---- main
// --------------------------------------------------------------------------------------------------------------

const files = ['mapper', 'records', 'usage']
  .flatMap((folder) => readdirSync(join(harness, folder)).map((name) => join(harness, folder, name)))
  .filter(
    (file) =>
      file.endsWith('.ts') && !file.endsWith('.spec.ts') && process.argv.slice(2).every((name) => file.includes(name)),
  );

const unharmed = firstDifference({ modules: new Map() });
if (unharmed !== null) {
  console.error(`the rows are not as expected before anything was damaged: ${unharmed}`);
  process.exit(1);
}
let count = 0;
const unnoticed = [];
for (const file of files) {
  if (isNoticed({ modules: new Map(), file, run: compile(file, readFileSync(file, 'utf8')) })) {
    console.error(`${relative(harness, file)} is noticed although nothing in it was damaged`);
    process.exit(1);
  }
  for (const { id, line, source } of mutantsOf(file)) {
    count += 1;
    let run;
    try {
      run = compile(file, source);
    } catch {
      continue;
    }
    if (!isNoticed({ modules: new Map(), file, run })) unnoticed.push({ id, line });
  }
}
const excused = new Set(UNNOTICED.map(([id]) => id));
const news = unnoticed.filter(({ id }) => !excused.has(id));
for (const { id, line } of news) console.error(`line ${line} of ${id}`);
const stale = process.argv.length > 2 ? [] : [...excused].filter((id) => !unnoticed.some((mutant) => mutant.id === id));
for (const id of stale) console.error(`unnoticed-mutants.mjs names what is noticed or gone: ${id}`);
console.log(`${count} mutants, ${unnoticed.length} unnoticed, ${news.length} of them without a reason`);
process.exitCode = news.length + stale.length > 0 ? 1 : 0;
