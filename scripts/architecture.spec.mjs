import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..');
const PROJECTS = ['apps', 'libs'].flatMap((group) => readdirSync(join(ROOT, group)).map((name) => join(group, name)));

/** Every source file with what it imports when it runs: types leave no trace in what is emitted. */
function sources() {
  const files = PROJECTS.flatMap((project) => listed(join(project, 'src')));
  return new Map(files.map((file) => [file, runtimeImports(file)]));
}

function listed(directory) {
  return readdirSync(join(ROOT, directory), { recursive: true })
    .map((name) => join(directory, name.toString()))
    .filter((name) => /\.tsx?$/.test(name) && !/\.(spec|d)\.tsx?$/.test(name) && !name.includes('/generated/'));
}

function runtimeImports(file) {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const target = statement.moduleSpecifier?.text;
    return target === undefined || leavesNoTrace(statement) ? [] : [target];
  });
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

const imports = sources();

function resolveRelative(from, target) {
  const path = relative(ROOT, join(ROOT, dirname(from), target));
  return (
    [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts'), join(path, 'index.tsx')].find((candidate) =>
      imports.has(candidate),
    ) ?? null
  );
}

describe('the sources', () => {
  it('have no circle of imports', () => {
    const circles = [];
    const state = new Map();
    const visit = (file, path) => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
        return;
      }
      state.set(file, 'open');
      for (const target of imports.get(file)) {
        const next = target.startsWith('.') ? resolveRelative(file, target) : null;
        if (next) visit(next, [...path, file]);
      }
      state.set(file, 'done');
    };
    for (const file of imports.keys()) visit(file, []);
    expect(imports.size).toBeGreaterThan(100);
    expect(circles).toEqual([]);
  });

  it('count every figure that there is', () => {
    const text = [...imports.keys()].map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    const figures = [
      ...readFileSync(join(ROOT, 'libs/platform/src/metrics/metrics.ts'), 'utf8').matchAll(/^ {2}(\w+): new /gm),
    ].map(([, name]) => name);
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((name) => !new RegExp(`\\bmetrics\\.${name}\\b`).test(text))).toEqual([]);
  });

  it('need nothing at run time that is not installed for running', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const served = [...imports].filter(([file]) => !file.startsWith('apps/web/') && !file.startsWith('libs/testing/'));
    const packages = served.flatMap(([file, targets]) =>
      targets.filter((target) => !target.startsWith('.')).map((target) => [packageOf(target), file]),
    );
    const undeclared = packages.filter(
      ([name]) =>
        !(name in dependencies) &&
        !(name in optionalDependencies) &&
        !name.startsWith('@chirality/') &&
        !builtinModules.includes(name),
    );
    expect(undeclared).toEqual([]);
  });
});

function packageOf(target) {
  const [first, second] = target.replace(/^node:/, '').split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
