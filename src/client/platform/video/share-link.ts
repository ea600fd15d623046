import { notify } from '../notify.tsx'

export const LINK_COPIED = 'Video link copied to clipboard.'

/** Hands a page of this site to the device's share sheet, or puts its address on the clipboard. */
export async function shareLink({ path, title }: { path: string; title: string }): Promise<void> {
  const url = new URL(path, location.origin).href
  if (!(await shareNatively({ title, url }))) await copyLink(path, LINK_COPIED)
}

/** Puts a link on the clipboard and says so. */
export async function copyLink(path: string, message: string): Promise<void> {
  const url = new URL(path, location.origin).href
  if (await copyText(url)) notify({ title: 'Share', message })
  else notify({ tone: 'error', title: 'Share', message: `Copy this link yourself: ${url}` })
}

/** Puts any text on the clipboard and says so. */
export async function copyPlainText(
  text: string,
  notice: { title: string; message: string },
): Promise<void> {
  if (await copyText(text)) notify(notice)
  else {
    const message = 'Your browser does not let pages copy. Select the text and copy it.'
    notify({ tone: 'error', title: notice.title, message })
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
  // In full screen, and in a modal dialog, only what is inside can be selected.
  const place =
    document.fullscreenElement ?? document.querySelector('dialog:modal') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
