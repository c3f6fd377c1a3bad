import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breaksBetween } from '../launcher/protocol/breaks.mjs';
import { surfaceOf } from '../launcher/protocol/surface.mjs';

const docs = join(__dirname, '../docs');
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(docs, path), 'utf8'));

/**
 * docs/protocol.md, "Versions", has the rules. docs/released/protocol.json changes with a release and at no other
 * time.
 */
it('clients of the last release can use today’s protocol', () => {
  expect(breaksBetween(read('released/protocol.json'), surfaceOf(read('openapi.json')))).toEqual([]);
});
