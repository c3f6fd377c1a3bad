import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { controllersOf } from './core/http/controllers-of';
import { routeTable } from './core/http/route-table';
import { Installation } from './instance/installation';
import { openApiDocument } from './reference/openapi';
import { protocolPage } from './reference/protocol-page';
import { AppModule } from './server/app.module';

/** The OpenAPI file's whole text. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(routeTable(controllersOf(AppModule)), new Installation().version), null, 2)}\n`;
}

/** The protocol page's whole text. */
export function protocolText(): string {
  return protocolPage(routeTable(controllersOf(AppModule)));
}

/** Writes `openapi.json` into the directory, by default the repository's docs. */
export function writeOpenApi(directory = join(new Installation().root, 'docs')): void {
  write(directory, 'openapi.json', openApiText());
}

/** Writes `protocol.md` into the directory, by default the repository's docs. */
export function writeProtocolDocs(directory = join(new Installation().root, 'docs')): void {
  write(directory, 'protocol.md', protocolText());
}

function write(directory: string, name: string, text: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
}

if (require.main === module) {
  writeOpenApi();
  writeProtocolDocs();
}
