import { connection } from './connection.ts'

const RETRY_MS = 1000

/**
 * Loads images again that could not be loaded while the server was away. Which of them are simply missing is not known, so
 * an address that fails while the server answers is tried once more, and then again whenever a connection comes back.
 */
export function reloadLostImages(): void {
  const lost = new Set<HTMLImageElement>()
  const tried = new WeakMap<HTMLImageElement, string>()

  function reload(image: HTMLImageElement): void {
    lost.delete(image)
    if (image.isConnected && image.complete && image.naturalWidth === 0) {
      // Setting the address again loads it, with the candidates of `srcset` too.
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
    lost.add(target)
    void retryOnce(target)
  }
  // Errors of images do not bubble.
  document.addEventListener('error', note, true)
  connection.onBack(() => {
    for (const image of [...lost]) reload(image)
  })
}
