import { isColour } from '#shared/colour.ts'

const STYLE_ID = 'game-colours'

/** Hues of games that admins have added, as `tokens.css` has them for the others. */
export function applyGameColours(colours: Readonly<Record<string, string>>): void {
  document.getElementById(STYLE_ID)?.remove()
  const rules = Object.entries(colours).flatMap(([name, colour]) =>
    isColour(colour) ? [`[data-game=${JSON.stringify(name)}] { --game: ${colour}; }`] : [],
  )
  if (rules.length === 0) return
  const style = document.createElement('style')
  style.id = STYLE_ID
  style.textContent = rules.join('\n')
  document.head.append(style)
}
