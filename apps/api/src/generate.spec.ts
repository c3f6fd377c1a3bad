import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiText, protocolText } from './generate';

const docs = join(__dirname, '../../../docs');

it.each([
  ['openapi.json', openApiText],
  ['protocol.md', protocolText],
])('docs/%s is what the contracts and routes say (npm run generate writes it)', (file, make) => {
  expect(readFileSync(join(docs, file), 'utf8')).toBe(make());
});

it('every reference of the OpenAPI file leads somewhere, and every route says what it does', () => {
  const document = JSON.parse(openApiText()) as {
    paths: Record<string, Record<string, { summary?: string; operationId: string }>>;
    components: { schemas: object };
  };
  const targets = [...openApiText().matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...new Set(targets)]));
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});
