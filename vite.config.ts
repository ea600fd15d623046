import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { minify, type Plugin, type Rolldown } from 'vite'
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

const COLOR_SCHEME_TAG = '<script src="/first-paint/color-scheme.js"></script>'

/** The script that a page cannot be painted without stands in the page itself; the server allows it by its hash. */
const inlineColorScheme: Plugin = {
  name: 'inline-color-scheme',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const path = join(CLIENT, 'first-paint', 'color-scheme.js')
      const { code } = await minify(path, await readFile(path, 'utf8'))
      if (!html.includes(COLOR_SCHEME_TAG)) throw new Error(`There is no ${COLOR_SCHEME_TAG}.`)
      return html.replace(COLOR_SCHEME_TAG, () => `<script>${code.trim()}</script>`)
    },
  },
}

const UNUSED_HOOKS = [
  'useQueries',
  'useSuspenseQueries',
  'useSuspenseQuery',
  'useSuspenseInfiniteQuery',
  'usePrefetchQuery',
  'usePrefetchInfiniteQuery',
]
const USED_HOOKS = '\0used-hooks'

/** tRPC names all hooks in one object, so that nothing falls out by itself: those that no page calls weigh 2 kB. */
const withoutUnusedHooks: Plugin = {
  name: 'without-unused-hooks',
  apply: 'build',
  enforce: 'pre',
  resolveId(source, importer) {
    const isForTrpc = source === '@tanstack/react-query' && importer?.includes('@trpc/react-query')
    return isForTrpc ? USED_HOOKS : undefined
  },
  load(id) {
    if (id !== USED_HOOKS) return undefined
    const none = UNUSED_HOOKS.map((name) => `export const ${name} = undefined`)
    return ["export * from '@tanstack/react-query'", ...none].join('\n')
  },
}

const CLIENT = join(import.meta.dirname, 'src', 'client')
const FETCH_FIRST = join(CLIENT, 'lib', 'fetch-first.ts')

/** What stands around each dynamic import is our own. */
const fetchFirst: Plugin = {
  name: 'fetch-first',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source) => (source === '\0vite/preload-helper.js' ? FETCH_FIRST : undefined),
}

const APP = join(CLIENT, 'main.tsx')
const EARLY_SCRIPT = join(CLIENT, 'features', 'player', 'early', 'early-video.ts')
const BEGIN_SCRIPT = join(CLIENT, 'first-paint', 'begin-app.ts')

type ModuleGraph = { getModuleInfo: Rolldown.GetModuleInfo }
let begins: { app: Set<string>; early: Set<string> } | undefined

/** Whether the app begins with the module, and the early script can do without it. */
function isOfApp(id: string, graph: ModuleGraph): boolean {
  begins ??= { app: reachFrom(APP, graph), early: reachFrom(EARLY_SCRIPT, graph) }
  return begins.app.has(iconName(id) ?? id) && !begins.early.has(id)
}

/** The modules that one imports, and those that they import, and the names of their icons. */
function reachFrom(id: string, graph: ModuleGraph, found = new Set<string>()): Set<string> {
  // The list of all icons imports each of them.
  if (found.has(id) || id.endsWith('tabler-icons-react.mjs')) return found
  found.add(id)
  const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
  for (const [name] of code?.matchAll(/\bIcon[A-Z]\w+/g) ?? []) found.add(name)
  for (const next of importedIds) reachFrom(next, graph, found)
  return found
}

/** Undefined for what is no icon. */
function iconName(id: string): string | undefined {
  return /@tabler\/.*\/(Icon\w+)\.mjs$/.exec(id)?.[1]
}

/** It has to be there before the package is loaded. */
const WATCHES_A_PACKAGE = 'test/api/login-work.test.ts'

export default defineConfig({
  root: CLIENT,
  publicDir: '../../public',
  resolve: {
    // React has what this one makes up for.
    alias: {
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  plugins: [react(), productionBuild, inlineColorScheme, withoutUnusedHooks, fetchFirst],
  build: {
    outDir: '../../dist',
    emptyOutDir: true,
    target: 'es2023',
    reportCompressedSize: false,
    // hls.js, which comes when a stream is needed.
    chunkSizeWarningLimit: 700,
    // Every browser of that year knows it.
    modulePreload: {
      polyfill: false,
      // One that needs no other file is fetched first too.
      resolveDependencies: (file, files) => (files.length > 0 ? files : [file]),
    },
    // The server tells browsers early what a page is made of.
    manifest: true,
    rolldownOptions: {
      // Its packages do not say so themselves, and would bring their WebSockets along.
      treeshake: { moduleSideEffects: [{ test: /@trpc\//, sideEffects: false }] },
      optimization: { inlineConst: { mode: 'all' } },
      input: {
        index: join(CLIENT, 'index.html'),
        early: EARLY_SCRIPT,
        'begin-app': BEGIN_SCRIPT,
      },
      output: {
        // The names travel with every page: some 40 bits tell its files apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        // Libraries change less often than our code: browsers keep them across updates.
        codeSplitting: {
          groups: [
            // Alone, so that the early script does not wait for what it would travel with.
            { name: 'preload', test: /lib\/fetch-first|rolldown\/runtime/ },
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack|@trpc)\/(?!.*useBlocker)|used-hooks/,
            },
            // What every page begins with is one file.
            {
              name: (id, graph) => (isOfApp(id, graph) ? 'app' : null),
              debugName: 'app',
              test: /src\/(client\/(?!main|index)|shared\/)|@tabler\//,
            },
            // What the app's frame has for members only.
            {
              name: 'member',
              test: /(notification-bell|rolling-number)\./,
            },
            // What many other pages share travels together: forty small files weigh more than one.
            {
              name: 'shared',
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
    // As `npm start` has it: what the tests start anew again and again, the media processes above all, is compiled once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'node') },
    // The tests wait for servers, browsers and disks about as long as they compute: three at a time even on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Not isolated, what one file has loaded and the engine compiled serves the next ones, which takes half the time: a
    // test leaves nothing behind in its process.
    projects: [
      {
        root: import.meta.dirname,
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'api',
          isolate: false,
          include: ['test/api/**/*.test.ts'],
          exclude: [WATCHES_A_PACKAGE],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 100_000 } },
        },
      },
      {
        root: import.meta.dirname,
        test: { name: 'alone', include: [WATCHES_A_PACKAGE], isolate: true, hookTimeout: 120_000 },
      },
      {
        root: import.meta.dirname,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/built-site.ts'],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 100_000 } },
        },
      },
    ],
  },
})
