import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pdfData } from './pdf-data';

const API = 'http://127.0.0.1:3000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server names the files from where it is reached: below a path of another host, too.
  base: './',
  plugins: [react(), tailwindcss(), pdfData()],
  resolve: {
    // The libraries' sources, so that the dashboard needs no build of them.
    conditions: ['@chirality/source', 'module', 'browser', 'development|production'],
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      {
        find: /^@chirality\/client$/,
        replacement: fileURLToPath(new URL('../../libs/client/src/index.ts', import.meta.url)),
      },
      // Its other build wants browsers of the last months.
      { find: /^pdfjs-dist$/, replacement: 'pdfjs-dist/legacy/build/pdf.mjs' },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/v1': API, '/api': API, '/mcp': API, '/health': API, '/socket.io': { target: API, ws: true } },
  },
});
