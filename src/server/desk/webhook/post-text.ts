import { cutText } from '#shared/text/cut-text.ts'

/** Characters of a message in Discord. */
const CONTENT_MAX = 2000
/** Punctuation that Discord reads as format, link, mention or emoji; it shows it as it is after a backslash. */
const FORMAT = /[\\*_~`|>#[\]()<@:-]/g

const plain = (text: string) => text.replaceAll(FORMAT, '\\$&')

/** Texts by members are shown as they are. */
export function renderPost(
  template: string,
  { title, name, game, link }: Record<'title' | 'name' | 'game' | 'link', string>,
): string {
  const values = { title: plain(title), name: plain(name), game: plain(game), link }
  const text = template.replaceAll(
    /\{(title|name|game|link)\}/g,
    (_, key: keyof typeof values) => values[key],
  )
  return cutText(text, CONTENT_MAX)
}
