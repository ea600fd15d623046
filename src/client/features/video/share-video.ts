import { notify } from '../../lib/notify.ts'

/** Hands a video's address to the device's share sheet, or puts it on the clipboard. */
export async function shareVideo({ id, title }: { id: number; title: string }): Promise<void> {
  const url = new URL(`/video/${id}`, location.origin).href
  if (await shareNatively({ title, url })) return
  if (await copyText(url)) {
    notify({ title: 'Share', message: 'Video link copied to clipboard.' })
  } else {
    notify({ tone: 'error', title: 'Share', message: `Copy this link yourself: ${url}` })
  }
}

/** @returns false when the device has no share sheet for this */
async function shareNatively(data: { title: string; url: string }): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    // Closing the sheet is a decision too.
    return error instanceof DOMException && error.name === 'AbortError'
  }
}

/** Browsers hand out the clipboard only on https; on a LAN without it the old way still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
