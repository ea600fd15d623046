/**
 * The home page as visitors first see it, made when the client is built. The server fills in what is between percent
 * signs, so that cards are there before any script is.
 */
export type FirstPaint = {
  /** By `shellKey`: everything around the cards. */
  shells: Record<string, string>
  /** One chip of the categories. */
  category: string
  /** By `cardKey`: a card. */
  cards: Record<string, string>
}

/** Where `FirstPaint` is, in the folder of the built client. */
export const FIRST_PAINT_FILE = '.first-paint.json'

/** How many cards are in the page before the app is there: what a large window shows. */
export const FIRST_CARDS = 12

/** The element of the script that runs the app, which its `data-app` names. */
export const BEGIN_SCRIPT_ID = 'begin-app'

/** Says on the app's root that the page is in it already. */
export const SERVED_ATTRIBUTE = 'data-served'

export function shellKey(site: { logoUrl: string | null; hasRules: boolean }): string {
  return [site.logoUrl ? 'logo' : 'mark', site.hasRules ? 'rules' : 'no-rules'].join(' ')
}

type CardFields = {
  thumbnailUrl: string | null
  cardUrl: string | null
  duration: number
  channel: { avatarUrl: string | null } | null
}

/** Which of the cards' shapes a video has. */
export function cardKey({ thumbnailUrl, cardUrl, duration, channel }: CardFields): string {
  const pictures = [thumbnailUrl, cardUrl].filter(Boolean).length
  const face = channel?.avatarUrl ? 'picture' : 'letter'
  return [pictures, channel ? face : 'nobody', duration > 0 ? 'timed' : 'untimed'].join(' ')
}
