import { accentOn, DEFAULT_ACCENT } from '#shared/colour.ts'
import { escapeMarkup } from '#shared/embed-code.ts'

export type Letter = {
  userId: number
  to: string
  subject: string
  /** Paragraphs above the button. */
  text: readonly string[]
  button?: { label: string; href: string }
  /** A list below the text. */
  lines?: readonly { title: string; text: string | null }[]
  /** States why the email was sent. */
  reason: string
  headers?: Readonly<Record<string, string>>
  /** Address of the page that unsubscribes, shown after the reason. */
  unsubscribe?: string
}

export type LetterSite = { name: string; accent: string | null; origin: string }

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const TEXT = '#0b0d12'
const MUTED = '#525b6b'
const LINE = '#dfe3ea'

/** Removes line breaks: in text by members they could add other headers. */
export const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

export function renderText(letter: Letter, { name, origin }: LetterSite): string {
  const { text, button, lines = [], reason, unsubscribe } = letter
  const parts = [
    ...text,
    ...(lines.length > 0 ? [lines.map(listed).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.href}`] : []),
    [
      '-- ',
      `${name} · ${origin}`,
      reason,
      ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : []),
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

const listed = ({ title, text }: { title: string; text: string | null }) =>
  text === null ? `* ${oneLine(title)}` : `* ${oneLine(title)}\n  ${oneLine(text)}`

/** The email loads nothing from servers, so nobody learns when it is opened. */
export function renderHtml(letter: Letter, { name, accent, origin }: LetterSite): string {
  const { text, button, lines = [], reason, unsubscribe } = letter
  const { fill, ink } = accentOn('light', accent ?? DEFAULT_ACCENT)
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeMarkup(words)}</p>`
  const items = lines.map(
    ({ title, text: said }) =>
      `<li style="margin:0 0 12px"><strong>${escapeMarkup(oneLine(title))}</strong>${
        said === null
          ? ''
          : `<br><span style="color:${MUTED}">${escapeMarkup(oneLine(said))}</span>`
      }</li>`,
  )
  const link = (href: string, label: string, style: string) =>
    `<a href="${escapeMarkup(href)}" style="${style}">${escapeMarkup(label)}</a>`
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeMarkup(oneLine(letter.subject))}</title></head>`,
    `<body style="margin:0;padding:24px 16px;background:#ffffff;color:${TEXT};${FONT};font-size:15px;line-height:1.5">`,
    '<div style="max-width:520px;margin:0 auto">',
    `<p style="margin:0 0 24px;padding:0 0 12px;border-bottom:3px solid ${fill};font-size:18px;font-weight:600">${escapeMarkup(name)}</p>`,
    ...text.map(paragraph),
    ...(items.length > 0
      ? [`<ul style="margin:0 0 16px;padding:0;list-style:none">${items.join('')}</ul>`]
      : []),
    ...(button
      ? [
          `<p style="margin:24px 0">${link(
            button.href,
            button.label,
            `display:inline-block;padding:12px 20px;border-radius:6px;background:${fill};color:${ink};font-weight:600;text-decoration:none`,
          )}</p>`,
          `<p style="margin:0 0 16px;font-size:13px;color:${MUTED};word-break:break-all">${escapeMarkup(button.href)}</p>`,
        ]
      : []),
    `<p style="margin:32px 0 0;padding:12px 0 0;border-top:1px solid ${LINE};font-size:13px;color:${MUTED}">`,
    `${escapeMarkup(reason)}<br>${link(origin, new URL(origin).host, `color:${MUTED}`)}`,
    ...(unsubscribe ? [` · ${link(unsubscribe, 'Unsubscribe', `color:${MUTED}`)}`] : []),
    '</p></div></body></html>\n',
  ].join('')
}
