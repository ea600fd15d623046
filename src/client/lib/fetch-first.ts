/** There was no usable answer to the question for a file. */
export class UnreachedError extends Error {}

const fetched = new Map<string, Promise<void>>()

/**
 * Stands around each `import()` of the built app, in place of Vite's own (see `vite.config.ts`): nothing is imported
 * before its files, but for those that the page itself asked for, are in the browser's cache. Browsers keep the failure
 * of a module, and of whatever imports it, until the page is loaded again; a file that could not be fetched is merely
 * asked for again the next time.
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

function fetchOnce(file: string): Promise<void> {
  const known = fetched.get(file)
  if (known) return known
  const answer = fetchFile(`/${file}`)
  fetched.set(file, answer)
  answer.catch(() => fetched.delete(file))
  return answer
}

async function fetchFile(address: string): Promise<void> {
  const isStyle = address.endsWith('.css')
  // Styles that are merely preloaded do not apply yet.
  const kind = isStyle ? '[rel=stylesheet]' : ''
  if (document.querySelector(`${kind}:is([href="${address}"], [src="${address}"])`)) return
  let status = 0
  try {
    const response = await fetch(address)
    await response.arrayBuffer()
    status = response.status
  } catch {}
  // The router knows the beginning of this sentence, and loads the page again.
  if (status === 404) throw new Error(`Failed to fetch dynamically imported module: ${address}`)
  if (status !== 200) throw new UnreachedError(address)
  if (isStyle) await applyStyles(address)
}

function applyStyles(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new UnreachedError(address))
    }
    document.head.append(link)
  })
}
