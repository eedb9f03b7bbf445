import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// Names without hashes: the server's ETag says whether a file is fresh, and the deltas in git stay small.
export default defineConfig({
  base: '/console/',
  plugins: [svelte()],
  build: {
    target: 'es2023',
    outDir: '../server/src/main/resources/io/orchestrion/server/console/dist',
    emptyOutDir: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        chunkFileNames: '[name].js',
        assetFileNames: (asset) => (asset.names[0] === 'style.css' ? 'app.css' : '[name][extname]'),
      },
    },
  },
});
