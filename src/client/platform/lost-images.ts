import { connection } from './connection.ts'

const RETRY_MS = 1000

/**
 * Retries failed images when the connection returns. Missing images look the same, so one that
 * fails while the server answers is retried once too.
 */
export function reloadLostImages(): void {
  /** Failed addresses. */
  const tried = new WeakMap<HTMLImageElement, string>()

  function reload(image: HTMLImageElement): void {
    if (image.isConnected && image.complete && image.naturalWidth === 0) {
      // Setting the address also reloads `srcset`.
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
  // Image errors do not bubble.
  document.addEventListener('error', note, true)
  connection.onBack(() => {
    for (const image of document.images) if (tried.has(image)) reload(image)
  })
}
