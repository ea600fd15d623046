import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EARLY_SCRIPT_ID } from '#shared/early-video.ts'

/** What Vite writes of each piece of the built client. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

const ENTRY = 'index.html'

/** The script that begins a page's video before the app runs. */
const EARLY_SCRIPT = 'features/player/early/early-video.ts'
const BEGIN_SCRIPT = 'first-paint/begin-app.ts'
/** How the built page asks for the app: the script that runs it, and what that imports. */
const APP_SCRIPT = /\s*<script type="module"[^>]* src="([^"]+)"><\/script>/
const APP_IMPORT = /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g
const STYLES = /<link rel="stylesheet" crossorigin href="([^"]+)">/g

/**
 * What the server says early of a watch page: the early script as an element and as a `Link` header, so that
 * the browser asks for it at once. The element names the app and what the page would ask for only once that
 * has run: the early script asks for them when the video is under way, and they are not in the page itself.
 * @param route the file of the page's component, below `src/client`
 * @param rest the built page from its title on
 * @returns `rest` without the app, when there is a script to ask for it
 */
export async function readEarlyParts(
  clientFolder: string,
  { route, rest }: { route: string; rest: string },
): Promise<{ links: string; script: string; rest: string }> {
  const manifest = await readManifest(clientFolder)
  const early = listFiles(manifest, EARLY_SCRIPT)
  const entry = listFiles(manifest, ENTRY)
  const then = [...listFiles(manifest, route)].filter(
    (file) => !early.has(file) && !entry.has(file),
  )
  const script = manifest[EARLY_SCRIPT]
  const app = APP_SCRIPT.exec(rest)?.[1]
  if (!script || !app) return { links: '', script: '', rest }
  const imports = [...rest.matchAll(APP_IMPORT)].map(([, file]) => file)
  const attributes = [
    `type="module" async crossorigin id="${EARLY_SCRIPT_ID}"`,
    `src="/${script.file}"`,
    `data-app="${app}"`,
    `data-then="${[app, ...imports, ...then.map((file) => `/${file}`)].join(' ')}"`,
  ]
  return {
    links: [...early].map(linkTo).join(', '),
    script: `<script ${attributes.join(' ')}></script>`,
    rest: rest.replace(APP_SCRIPT, '').replaceAll(APP_IMPORT, ''),
  }
}

/**
 * The script that runs the app after the first paint; undefined when the client was built without it.
 * @throws when it cannot stand in a page
 */
export async function readBeginScript(clientFolder: string): Promise<string | undefined> {
  const piece = (await readManifest(clientFolder))[BEGIN_SCRIPT]
  if (!piece) return undefined
  const text = (await readFile(join(clientFolder, piece.file), 'utf8')).trim()
  if (piece.imports?.length || /<\/script|<!--/i.test(text)) {
    throw new Error(
      `${BEGIN_SCRIPT} cannot stand in a page: it imports others, or ends its element.`,
    )
  }
  return text
}

/** Has a browser ask for the page's styles with its first bytes: nothing is painted without them. */
export function styleLinks(page: string): string {
  const files = [...page.matchAll(STYLES)].map(([, file]) => file)
  return files.map((file) => `<${file}>; rel=preload; as=style; crossorigin`).join(', ')
}

async function readManifest(clientFolder: string): Promise<Manifest> {
  const path = join(clientFolder, '.vite', 'manifest.json')
  return JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Manifest
}

/** The page's first question, in the very words in which the client asks it. */
export function watchQuestionLink(videoId: number): string {
  const input = encodeURIComponent(JSON.stringify({ 1: { id: videoId } }))
  const address = `/trpc/auth.currentUser,video.get?batch=1&input=${input}`
  return `<${address}>; rel=preload; as=fetch; crossorigin=anonymous`
}

/** The address of the home page's first question, in the client's very words too. */
export function homeQuestion(): string {
  const input = encodeURIComponent(JSON.stringify({ 2: { direction: 'forward' } }))
  return `/trpc/site.settings,auth.currentUser,video.list?batch=1&input=${input}`
}

function listFiles(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  const piece = manifest[name]
  if (!piece || found.has(piece.file)) return found
  for (const file of [piece.file, ...(piece.css ?? [])]) found.add(file)
  for (const next of piece.imports ?? []) listFiles(manifest, next, found)
  return found
}

function linkTo(file: string): string {
  return `</${file}>; rel=modulepreload`
}
