import { escapeMarkup } from '#shared/embed-code.ts'

/** XML 1.0 cannot represent these. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

type Attributes = Record<string, string | number | undefined>

export function element(name: string, attributes: Attributes, children: string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escapeXml(String(value))}"`)
    .join('')
  const content = children.join('')
  return content ? `<${name}${written}>${content}</${name}>` : `<${name}${written}/>`
}

export function textElement(name: string, text: string | number, attributes: Attributes = {}) {
  return element(name, attributes, [escapeXml(String(text))])
}

export function xmlDocument(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
}

export function escapeXml(text: string): string {
  return escapeMarkup(text.replace(UNWRITABLE, ''))
}
