import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What Vite writes of each piece of the built client. */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

const ENTRY = 'index.html'

/**
 * Makes a `Link` header for a page: it names what its script would ask for only after it has been loaded and
 * run, so that the browser asks for it at once.
 * @param route the file of the page's component, below `src/client`
 */
export async function readEarlyLinks(clientFolder: string, route: string): Promise<string> {
  const text = await readFile(join(clientFolder, '.vite', 'manifest.json'), 'utf8').catch(
    () => '{}',
  )
  const manifest = JSON.parse(text) as Manifest
  // What everything else waits for goes first: a browser opens six connections only.
  const files = listFiles(manifest, route, listFiles(manifest, ENTRY))
  return [...files].map(linkTo).join(', ')
}

/** The page's first question, in the very words in which the client asks it. */
export function watchQuestionLink(videoId: number): string {
  const input = encodeURIComponent(JSON.stringify({ 1: { id: videoId } }))
  const address = `/trpc/auth.currentUser,video.get?batch=1&input=${input}`
  return `<${address}>; rel=preload; as=fetch; crossorigin=anonymous`
}

function listFiles(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  const piece = manifest[name]
  if (!piece || found.has(piece.file)) return found
  for (const file of [piece.file, ...(piece.css ?? [])]) found.add(file)
  for (const next of piece.imports ?? []) listFiles(manifest, next, found)
  return found
}

function linkTo(file: string): string {
  const isStyle = file.endsWith('.css')
  const kind = isStyle ? 'rel=preload; as=style; crossorigin=anonymous' : 'rel=modulepreload'
  return `</${file}>; ${kind}`
}
