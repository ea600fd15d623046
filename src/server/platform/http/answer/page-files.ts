import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** https://vite.dev/guide/backend-integration */
type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] }>

const ENTRY = 'index.html'

/**
 * For each page's scripts and styles.
 * @param components below `src/client`
 * @throws when the build lacks one
 */
export async function readPageLinks(
  clientFolder: string,
  components: readonly string[],
): Promise<Map<string, string>> {
  const path = join(clientFolder, '.vite', 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as Manifest
  const known = listFiles(manifest, ENTRY)
  return new Map(
    components.map((component) => {
      if (ENTRY in manifest && !manifest[component])
        throw new Error(`The client was built without ${component}.`)
      const files = [...listFiles(manifest, component)].filter((file) => !known.has(file))
      return [component, files.map(renderLink).join('')]
    }),
  )
}

function renderLink(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" fetchpriority="low" crossorigin href="/${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`
}

function listFiles(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  const piece = manifest[name]
  if (!piece || found.has(piece.file)) return found
  for (const file of [piece.file, ...(piece.css ?? [])]) found.add(file)
  for (const next of piece.imports ?? []) listFiles(manifest, next, found)
  return found
}
