import { FILE_NAME_MAX } from '../limits.ts'
import { cutText } from './cut-text.ts'
import { tidyText, UNSHOWABLE_CHARACTERS } from './shown-text.ts'

/** Joiners and tags are excluded: emoji and some scripts need them. */
const SHAPELESS = /[[\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d\u{e0020}-\u{e007f}]]/gv

/** 'video' when nothing printable is left. */
export function shownFileName(name: string): string {
  const shown = tidyText(
    name
      .replaceAll(UNSHOWABLE_CHARACTERS, '')
      .replaceAll(/[\t\n]/g, '')
      .replaceAll(SHAPELESS, ''),
  )
  return cutText(shown, FILE_NAME_MAX) || 'video'
}

/** @param address a valid one */
export function fileNameOfAddress(address: string): string {
  const name = new URL(address).pathname.split('/').findLast((part) => part !== '') ?? ''
  try {
    return shownFileName(decodeURIComponent(name))
  } catch {
    return shownFileName(name)
  }
}
