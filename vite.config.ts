import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

const SERVER = 'http://localhost:3000'

/** Whatever NODE_ENV says, as in the tests: what is built is what people get, and half as heavy. */
const productionBuild: Plugin = {
  name: 'production-build',
  apply: 'build',
  config() {
    process.env.NODE_ENV = 'production'
  },
}

export default defineConfig({
  root: join(import.meta.dirname, 'src', 'client'),
  publicDir: '../../public',
  plugins: [react(), productionBuild],
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    // Every browser of that year knows it.
    modulePreload: { polyfill: false },
    // The server tells browsers early what a page is made of.
    manifest: true,
    // hls.js alone is larger; it is loaded only with a video that has an adaptive stream.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'src', 'client', 'index.html'),
        early: join(
          import.meta.dirname,
          'src',
          'client',
          'features',
          'player',
          'early',
          'early-video.ts',
        ),
      },
      output: {
        // Libraries change less often than our code: browsers keep them across updates.
        codeSplitting: {
          groups: [
            // Alone, so that the early script does not wait for what it would travel with.
            { name: 'preload', test: /vite\/preload-helper/ },
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack|@trpc)\//,
            },
            // What many pages share travels together: forty small files weigh more than one.
            {
              name: 'shared',
              // Dialogs, tabs and filters are not on the home page, which has the least room.
              test: /src\/client\/(components\/(?!ask-dialog|day-plot|tabs|choice|filter-box|copy-field|dialog)|lib\/|features\/video\/)|@tabler\//,
              minShareCount: 4,
            },
            // An icon that two pages share would be a request of its own.
            { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '^/(trpc|api|media|feeds|oembed|embed|v)(/|\\?)': { target: SERVER, changeOrigin: false },
    },
  },
  test: {
    root: import.meta.dirname,
    // The tests wait for servers, browsers and disks more than they compute: two at a time even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        root: import.meta.dirname,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        root: import.meta.dirname,
        test: { name: 'api', include: ['test/api/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/built-site.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // On a busy machine a real browser is late now and then. The report names what needed its second try.
          retry: 1,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
})
