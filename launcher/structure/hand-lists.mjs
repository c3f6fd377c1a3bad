import { dirname, join } from 'node:path';
import ts from 'typescript';
import { PROJECTS, sourcesOf, textOf } from './structure.mjs';

/** The lists of a Nest module that name the parts of one feature; `imports` and `exports` name what others hold. */
const LISTS = ['controllers', 'providers'];
const PART = /(?:Controller|Service|Gateway|Repository)$/;

/**
 * Controllers, services, gateways and repositories that a file lists although they stand in another folder: such a list
 * has to be kept by hand. Each as the file, its line, and the name.
 * @returns {string[]}
 */
export function listsByHand() {
  return PROJECTS.filter((project) => project !== 'apps/web')
    .flatMap(sourcesOf)
    .filter((file) => /\.(?:module|repositories)\.ts$/.test(file))
    .flatMap((file) => handListed(file, textOf(file)));
}

/**
 * @param {string} file
 * @param {string} text
 */
export function handListed(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const foreign = importedFromElsewhere(file, source);
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node @param {boolean} isListed */
  const visit = (node, isListed) => {
    const begins = ts.isPropertyAssignment(node) && LISTS.includes(node.name.getText(source));
    const within = isListed || begins || (file.endsWith('.repositories.ts') && ts.isCallExpression(node));
    if (within && ts.isIdentifier(node) && isElement(node) && foreign.has(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${file}:${line + 1}: ${node.text}`);
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, false);
  return found;
}

/**
 * An entry of a list or an argument, not the token that a factory asks for.
 * @param {ts.Identifier} node
 */
function isElement({ parent }) {
  if (ts.isCallExpression(parent)) return true;
  return ts.isArrayLiteralExpression(parent) && !isInjected(parent);
}

/** @param {ts.ArrayLiteralExpression} list */
function isInjected({ parent }) {
  return ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name) && parent.name.text === 'inject';
}

/**
 * @param {string} file
 * @param {ts.SourceFile} source
 */
function importedFromElsewhere(file, source) {
  const names = source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return [];
    const target = node.moduleSpecifier.text;
    const stands = target.startsWith('.') ? dirname(join(dirname(file), target)) : target;
    const bindings = node.importClause?.namedBindings;
    if (stands === dirname(file) || !bindings || !ts.isNamedImports(bindings)) return [];
    return bindings.elements.map(({ name }) => name.text);
  });
  return new Set(names.filter((name) => PART.test(name)));
}
