import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const HOME = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const VERSION = (JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as { version: string }).version;
/** `components/pdf/pdf-data-url.ts` names the same place. */
const PLACE = `assets/pdf-${VERSION}`;
/** Fonts and encodings that a PDF may leave to its reader, and the decoder of JPEG 2000 that needs no WebAssembly. */
const FILES: Readonly<Record<string, RegExp>> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
};

/** The files that PDF.js fetches while it shows a document, from the dashboard's server alone. */
export function pdfData(): Plugin {
  const files = Object.entries(FILES).flatMap(([folder, wanted]) =>
    readdirSync(join(HOME, folder))
      .filter((name) => wanted.test(name))
      .map((name) => ({ fileName: `${PLACE}/${folder}/${name}`, path: join(HOME, folder, name) })),
  );
  return {
    name: 'pdf-data',
    generateBundle() {
      for (const { fileName, path } of files) this.emitFile({ type: 'asset', fileName, source: readFileSync(path) });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files.find(({ fileName }) => request.url === `/${fileName}`);
        if (file === undefined) return next();
        if (file.path.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
        createReadStream(file.path).pipe(response);
      });
    },
  };
}
