import { notify } from '../notify.tsx'

export const LINK_COPIED = 'Video link copied to clipboard.'

/** Share sheet, or clipboard. */
export async function shareLink({ path, title }: { path: string; title: string }): Promise<void> {
  const url = new URL(path, location.origin).href
  if (!(await shareNatively({ title, url }))) await copyLink(path, LINK_COPIED)
}

/** Confirms by a toast. */
export async function copyLink(path: string, message: string): Promise<void> {
  const url = new URL(path, location.origin).href
  if (await copyText(url)) notify({ title: 'Share', message })
  else notify({ tone: 'error', title: 'Share', message: `Copy this link yourself: ${url}` })
}

/** Confirms by a toast. */
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

/**
 * Copies text that is known only later. It must be called while a press is handled, because some
 * browsers allow copying only then.
 * @returns false if nothing was copied
 */
export async function copyWhenKnown(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    const known = await text.catch(() => undefined)
    return known !== undefined && copyText(known)
  }
}

/** @returns false without a share sheet */
async function shareNatively(data: { title: string; url: string }): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(data)
    return true
  } catch (error) {
    // Cancelling counts as handled.
    return error instanceof DOMException && error.name === 'AbortError'
  }
}

/** The clipboard API needs https; a LAN site uses the old way. */
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
  // Only content inside full screen or a modal dialog can be selected.
  const place =
    document.fullscreenElement ?? document.querySelector('dialog:modal') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
