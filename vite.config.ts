/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { LEFT_OUT } from './test/support/long-selection.ts'
import { ONLY_ON_SQLITE, QUICK_ON_POSTGRES } from './test/support/postgres-selection.ts'
import { ONLY_IN_FOLDER, QUICK_ON_STORE } from './test/support/store-selection.ts'

const SERVER = 'http://localhost:3000'
const CLIENT = join(import.meta.dirname, 'src', 'client')
const root = import.meta.dirname
/** A few files in place of many: what pages begin with, what they share, and the watch page. See docs/decisions/0015. */
const BEGIN = { name: 'begin', tags: ['$initial' as const] }
const COMMON = { name: 'common', minShareCount: 28 }
const WATCH_FILES =
  /client.(routes.watch.(?!watch-page|share-link|clip-|clips-|about-clip)|watch.(comment.comments|recommendation))/
/** Other pages use these parts of it alone. */
const QUEUE = { name: 'queue', test: /client.browse.queue.(frozen-order|queue-key|queue-settings)/ }
const SOURCE = {
  name: 'source',
  test: /client.(platform.video.share-link|watch.(progress|player.(source.(?!hls-stream|source-s)|core.play-|core.player-mem)))/,
}
const ICONS = { name: 'icons', test: /@tabler/, minShareCount: 3 }
const BY_SHARERS = { entriesAware: true, entriesAwareMergeThreshold: 4000 }
const WATCH = { name: 'watch', test: WATCH_FILES, ...BY_SHARERS }
const TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000 }
const BROWSER_TIMEOUTS = { testTimeout: 180_000, hookTimeout: 240_000 }
/** What is asked for may be a request, or a look into a page. */
const POLL = { expect: { poll: { timeout: 100_000, interval: 100 } } }
/** Tests whose sites have their media on an S3 server: all of `npm run test:store`, and a few of the others. */
const isStoreRun = process.env.TEST_MEDIA_STORE === 's3'
const ON_STORE = {
  env: { TEST_MEDIA_STORE: 's3' },
  setupFiles: ['test/support/store-setup.ts'],
  exclude: Object.keys(ONLY_IN_FOLDER).filter((file) => typeof ONLY_IN_FOLDER[file] === 'string'),
}
/** Each transaction runs twice, as after a failure to serialize. */
const ON_POSTGRES_TWICE = { TEST_DATABASE: 'postgres', TEST_TRANSACTIONS: 'twice' }

export default defineConfig(({ command }) => {
  // Whatever NODE_ENV says, as in the tests: what is built is what people get.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    root: CLIENT,
    publicDir: '../../public',
    plugins: [react()],
    build: {
      outDir: '../../dist',
      emptyOutDir: true,
      target: 'es2023',
      reportCompressedSize: false,
      // hls.js, which comes when a stream is needed.
      chunkSizeWarningLimit: 700,
      modulePreload: { polyfill: false },
      // The server reads in it which files a page begins with.
      manifest: true,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [BEGIN, COMMON, QUEUE, SOURCE, ICONS, WATCH] },
          // A group names its files after all that share them.
          chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        },
        // Their packages do not say so themselves.
        treeshake: { moduleSideEffects: [{ test: /@trpc\//, sideEffects: false }] },
      },
    },
    server: {
      port: 5173,
      proxy: {
        '^/(trpc|api|media|feeds|oembed|embed|v)(/|\\?)': { target: SERVER, changeOrigin: false },
      },
    },
    test: {
      root,
      // As `npm start` has it: what the tests start again and again is compiled once.
      env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') },
      // They wait for servers, browsers and disks about as long as they compute.
      maxWorkers: Math.max(4, availableParallelism() - 1),
      // Files share what is loaded and compiled, which takes half the time: a test leaves nothing behind in its process.
      projects: [
        {
          root,
          test: {
            name: 'unit',
            isolate: false,
            include: ['test/unit/**/*.test.ts'],
            exclude: LEFT_OUT,
            ...TIMEOUTS,
          },
        },
        {
          root,
          test: {
            name: 'api',
            isolate: false,
            include: ['test/api/**/*.test.ts'],
            exclude: LEFT_OUT,
            ...TIMEOUTS,
            ...POLL,
            ...(isStoreRun && ON_STORE),
          },
        },
        {
          root,
          test: {
            name: 'postgres',
            isolate: false,
            ...(process.env.TEST_DATABASE === 'postgres'
              ? { include: ['test/api/**/*.test.ts'], exclude: ONLY_ON_SQLITE }
              : {
                  include: QUICK_ON_POSTGRES,
                  env: ON_POSTGRES_TWICE,
                }),
            globalSetup: ['test/support/postgres-for-all.ts'],
            ...TIMEOUTS,
            ...POLL,
          },
        },
        {
          root,
          test: {
            name: 'store',
            isolate: false,
            include: isStoreRun ? [] : QUICK_ON_STORE,
            globalSetup: ['test/support/postgres-for-all.ts'],
            ...TIMEOUTS,
            ...POLL,
            ...ON_STORE,
            env: { ...ON_STORE.env, ...ON_POSTGRES_TWICE },
          },
        },
        {
          root,
          test: {
            name: 'browser',
            isolate: false,
            include: ['test/browser/**/*.test.ts'],
            exclude: LEFT_OUT,
            globalSetup: ['test/support/built-site.ts'],
            ...BROWSER_TIMEOUTS,
            ...POLL,
            ...(isStoreRun && ON_STORE),
          },
        },
      ],
    },
  }
})
