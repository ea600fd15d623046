import { escapeMarkup } from '#shared/embed-code.ts'

export type HeadTag =
  | { tag: 'title'; text: string }
  | { tag: 'meta'; key: 'name' | 'property'; name: string; content: string }
  | { tag: 'link'; rel: string; href: string; type?: string; title?: string }
  | { tag: 'json-ld'; data: object }

export const named = (name: string, content: string): HeadTag => {
  return { tag: 'meta', key: 'name', name, content }
}
export const property = (name: string, content: string): HeadTag => {
  return { tag: 'meta', key: 'property', name, content }
}

/** Marks all but the title for removal by the app. Omits empty descriptions. */
export function renderHeadTags(tags: HeadTag[]): string {
  const filled = tags.filter((tag) => tag.tag !== 'meta' || tag.content !== '')
  return filled.map(renderTag).join('\n    ')
}

function renderTag(tag: HeadTag): string {
  switch (tag.tag) {
    case 'title':
      return `<title>${escapeMarkup(tag.text)}</title>`
    case 'meta':
      return `<meta data-page ${tag.key}="${tag.name}" content="${escapeMarkup(tag.content)}">`
    case 'link': {
      const { rel, href, type, title } = tag
      const more = Object.entries({ type, title })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => ` ${name}="${escapeMarkup(value ?? '')}"`)
      return `<link data-page rel="${rel}" href="${escapeMarkup(href)}"${more.join('')}>`
    }
    case 'json-ld':
      return `<script data-page type="application/ld+json">${jsonForScript(tag.data)}</script>`
  }
}

/** No text can end the script element. */
export function jsonForScript(data: unknown): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
