import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What Vite writes of each piece of the built client (https://vite.dev/guide/backend-integration). */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

const ENTRY = 'index.html'

/**
 * Elements that have a browser ask for a page's own scripts and styles together with the app's.
 * @returns by the path of the page's component below `src/client`
 */
export async function readPageLinks(clientFolder: string): Promise<(route: string) => string> {
  const path = join(clientFolder, '.vite', 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Manifest
  const known = listFiles(manifest, ENTRY)
  return (route) =>
    [...listFiles(manifest, route)]
      .filter((file) => !known.has(file))
      .map((file) =>
        file.endsWith('.css')
          ? `<link rel="preload" as="style" crossorigin href="/${file}">`
          : `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`,
      )
      .join('')
}

function listFiles(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  const piece = manifest[name]
  if (!piece || found.has(piece.file)) return found
  for (const file of [piece.file, ...(piece.css ?? [])]) found.add(file)
  for (const next of piece.imports ?? []) listFiles(manifest, next, found)
  return found
}
