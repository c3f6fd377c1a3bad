import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** One file with the libraries in it; what npm installs stays outside. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: [
      {
        find: /^@chirality\/([a-z-]+)$/,
        replacement: fileURLToPath(new URL('../../libs', import.meta.url)) + '/$1/src/index.ts',
      },
    ],
  },
  build: {
    ssr: 'src/main.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: { output: { banner: '#!/usr/bin/env node', entryFileNames: 'main.js' } },
  },
});
