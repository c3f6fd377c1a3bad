import { statSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { directionFault, roomOf } from './rooms.mjs';

/**
 * An ESLint plugin: shows an import against the direction of the rooms where it is written.
 * @type {import('eslint').ESLint.Plugin}
 */
export const roomsPlugin = {
  rules: {
    direction: {
      meta: { type: 'problem', schema: [], messages: { against: '{{ fault }}' } },
      create(context) {
        const file = relative(context.cwd, context.filename).split(sep).join('/');
        const from = roomOf(file);
        /**
         * @param {import('eslint').Rule.Node} node
         * @param {{ type: string, value?: unknown } | null | undefined} source
         */
        const check = (node, source) => {
          if (from === null || typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
          const target = posix.join(posix.dirname(file), source.value);
          // What names a folder means its index file.
          const to = roomOf(isFolder(context.cwd, target) ? `${target}/index` : target);
          const fault = to?.app === from.app ? directionFault(from.app, from.room, to.room) : null;
          if (fault !== null) context.report({ node, messageId: 'against', data: { fault } });
        };
        return {
          ImportDeclaration: (node) => check(node, node.source),
          ExportNamedDeclaration: (node) => check(node, node.source),
          ExportAllDeclaration: (node) => check(node, node.source),
          ImportExpression: (node) => check(node, node.source),
          TSImportType: (node) => check(node, node.source),
        };
      },
    },
  },
};

/**
 * @param {string} root
 * @param {string} path
 */
function isFolder(root, path) {
  return statSync(`${root}/${path}`, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
