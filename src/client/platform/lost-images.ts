import { connection } from './connection.ts'

const RETRY_MS = 1000

/**
 * Reloads images that failed while the server was away. Those that are simply missing cannot be told apart, so an image that
 * fails while the server answers is tried once more, and again each time that the connection comes back.
 */
export function reloadLostImages(): void {
  /** The addresses that failed. */
  const tried = new WeakMap<HTMLImageElement, string>()

  function reload(image: HTMLImageElement): void {
    if (image.isConnected && image.complete && image.naturalWidth === 0) {
      // Setting the address again also loads the candidates of `srcset`.
      image.src = image.getAttribute('src') ?? ''
    }
  }
  async function retryOnce(image: HTMLImageElement): Promise<void> {
    const src = image.getAttribute('src') ?? ''
    if (tried.get(image) === src) return
    tried.set(image, src)
    await connection.doubt()
    await connection.pause(RETRY_MS)
    if (!connection.isLost()) reload(image)
  }
  const note = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement) || !target.getAttribute('src')) return
    void retryOnce(target)
  }
  // Errors of images do not bubble.
  document.addEventListener('error', note, true)
  connection.onBack(() => {
    for (const image of document.images) if (tried.has(image)) reload(image)
  })
}
