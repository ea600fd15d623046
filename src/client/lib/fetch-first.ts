/** No answer came to the question for a file. */
export class UnreachedError extends Error {}

const fetched = new Map<string, Promise<unknown>>()

/**
 * Stands around each `import()` of the built client, in place of Vite's own (see `vite.config.ts`): nothing is imported
 * before all its files are in the browser's cache. Browsers keep the failure of a module, and of whatever imports it,
 * until the page is loaded again; a file that could not be fetched is merely asked for again the next time.
 * @param files what the import needs, as addresses without the first '/'
 * @throws UnreachedError without a connection; as a browser's `import()` does for a file that an update has replaced
 */
export async function __vitePreload<Module>(
  load: () => Promise<Module>,
  files: string[] = [],
): Promise<Module> {
  await Promise.all(files.map(fetchOnce))
  return load()
}

function fetchOnce(file: string): Promise<unknown> {
  const known = fetched.get(file)
  if (known) return known
  const answer = fetchFile(`/${file}`)
  fetched.set(file, answer)
  answer.catch(() => fetched.delete(file))
  return answer
}

async function fetchFile(address: string): Promise<unknown> {
  const isStyle = address.endsWith('.css')
  // The page itself has asked for it; styles that are merely preloaded do not apply yet.
  if (isInPage(address, isStyle ? '[rel=stylesheet]' : '')) return
  if (isStyle) return applyStyles(address)
  const response = await fetch(address).catch(() => {
    throw new UnreachedError(address)
  })
  // The router knows the beginning of this sentence, and loads the page again.
  if (!response.ok) throw new Error(`Failed to fetch dynamically imported module: ${address}`)
  return response.arrayBuffer()
}

const isInPage = (address: string, selector: string) =>
  document.querySelector(`${selector}:is([href="${address}"], [src="${address}"])`) !== null

function applyStyles(address: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = address
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      reject(new UnreachedError(address))
    }
    document.head.append(link)
  })
}
