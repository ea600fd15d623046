import { notify } from '../../../lib/notify.ts'

/** Puts a link on the clipboard and says so. */
export async function copyLink(path: string, message: string): Promise<void> {
  const url = new URL(path, location.origin).href
  if (await copyText(url)) notify({ title: 'Share', message })
  else notify({ tone: 'error', title: 'Share', message: `Copy this link yourself: ${url}` })
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
  // In full screen only what is inside it can be selected.
  const place = document.fullscreenElement ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
