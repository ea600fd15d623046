import { displayNameRule, usernameRule } from '#shared/field-rules.ts'
import { DISPLAY_NAME_MAX, USERNAME_MAX, USERNAME_MIN } from '#shared/limits.ts'
import { tidyText } from '#shared/text/shown-text.ts'

const ATTEMPTS = 50

/** Returns a valid and unused username that is based on the one at the provider. */
export async function suggestUsername(
  wish: string,
  isTaken: (username: string) => Promise<boolean>,
): Promise<string> {
  const plain = wish
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, USERNAME_MAX)
  const base = plain.length < USERNAME_MIN ? `${plain}player` : plain
  for (let number = 1; number <= ATTEMPTS; number++) {
    const end = number === 1 ? '' : String(number)
    const username = `${base.slice(0, USERNAME_MAX - end.length)}${end}`
    if (usernameRule(username) === undefined && !(await isTaken(username))) return username
  }
  return ''
}

export function suggestDisplayName(name: string, username: string): string {
  const wish = [...tidyText(name)].slice(0, DISPLAY_NAME_MAX).join('')
  return displayNameRule(wish) === undefined ? wish : username
}
