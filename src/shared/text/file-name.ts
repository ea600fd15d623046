import { FILE_NAME_MAX } from '../limits.ts'
import { cutText } from './cut-text.ts'
import { tidyText, UNSHOWABLE_CHARACTERS } from './shown-text.ts'

/** Invisible format characters and line separators, except joiners and tags, which emoji and some scripts need. */
const SHAPELESS = /[[\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d\u{e0020}-\u{e007f}]]/gv

/**
 * A file's name as it can be shown, since its uploader may not have chosen it: characters that cannot be shown,
 * direction marks and tabs are dropped. 'video' when nothing is left.
 */
export function shownFileName(name: string): string {
  const shown = tidyText(
    name
      .replaceAll(UNSHOWABLE_CHARACTERS, '')
      .replaceAll(/[\t\n]/g, '')
      .replaceAll(SHAPELESS, ''),
  )
  return cutText(shown, FILE_NAME_MAX) || 'video'
}
