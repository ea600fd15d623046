import { titleRule } from './field-rules.ts'
import { TITLE_MAX } from './limits.ts'
import { withoutMachine } from './recorded-words.ts'
import { cutText } from './text/cut-text.ts'
import { shownFileName } from './text/file-name.ts'
import { tidyText } from './text/shown-text.ts'

/** A title that is valid for any file name: 'Replay 2026-11-21.mp4' → 'Replay 2026-11-21'. */
export function titleOfFile(name: string): string {
  const words = withoutMachine(shownFileName(name).replace(/(?<=.)\.[^.]*$/, ''))
  const title = cutText(tidyText(words), TITLE_MAX).trim()
  return titleRule(title) ? `Video ${title}`.trim() : title
}
