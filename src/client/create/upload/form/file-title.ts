import { TITLE_MAX } from '#shared/limits.ts'
import { withoutMachine } from '#shared/recorded-words.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { shownFileName } from '#shared/text/file-name.ts'
import { tidyText } from '#shared/text/shown-text.ts'

/** Returns the title that an upload starts with. */
export function titleFromFileName(name: string): string {
  const title = tidyText(withoutMachine(shownFileName(name).replace(/(?<=.)\.[^.]*$/, '')))
  return cutText(title, TITLE_MAX).trim()
}
