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
/** A few files in place of many, for what pages begin with and what they share. See docs/decisions/0015. */
const modules = (...names: string[]) => new RegExp(names.join('|'))
const ALONE = { includeDependenciesRecursively: false }
const BEGIN = { name: 'begin', tags: ['$initial' as const] }
/** Small modules of many pages. Menus and dialogs, which load later, are in `COMMON`. */
const PARTS = {
  ...{ name: 'parts', minShareCount: 3, ...ALONE },
  test: modules(
    '@tabler|mantine-pages|components.(Textarea|Progress)|create-safe-context|get-(auto|env|style-object)',
    'use-(has-keys|input-props|merged-ref|preload-when-idle|subscription)|pass-focus|row-menu|subscribe-button',
    'work-(bar|line)|own-work|processing-(actions|texts)|frozen-order|own-queue|queue-(key|settings)|visibility-mark',
    'live-stream|video-news|share-rights|rolling-number|comment-hash',
  ),
}
/** Small modules of pages with a video and its comments. */
const AROUND_VIDEO = {
  ...{ name: 'around-video', minShareCount: 3, ...ALONE },
  test: modules(
    'rich-text|folded-text|mention-field|news-line|speech-drawing|platform.buzz|time-address|open-maker',
    'client.watch.(comment|like|mention)|watch-comments|share-link.ts|shared.chapters|storyboard.ts',
    'mixer.(can-mix|mix-memory)|(follow|use-player)-slot|use-squad-end|use-watch-together|page-live|playback-error|player.core.shortcuts',
  ),
}
/** Fields of forms. The home page has none. */
const FIELDS = { name: 'fields', minShareCount: 3, test: modules('components.Input') }
const COMMON = { name: 'common', minShareCount: 29 }
/** The player without its page, for lists of clips and share links. */
const SOURCE = {
  name: 'source',
  test: modules(
    'client.watch.progress|watch.player.source.(?!hls-stream|source-s)',
    'watch.player.core.(play-|player-mem|caption)|use-(offers|player-memory)',
  ),
}
const WATCH = {
  ...{ name: 'watch', entriesAware: true, entriesAwareMergeThreshold: 2000 },
  test: modules(
    'client.routes.watch.(?!watch-(page|screen)|player-layer|share-link|clip-|clips-|about-clip|comments-sheet|room-)',
    'client.watch.(player.(core|controls|lazy-|source-s|video-player|player-stage)|recommendation)|queue.(use-|queue-order)',
  ),
}
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
          codeSplitting: { groups: [BEGIN, FIELDS, PARTS, AROUND_VIDEO, COMMON, SOURCE, WATCH] },
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
