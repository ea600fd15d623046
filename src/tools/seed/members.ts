import { type BuiltInCategory, DISPLAY_NAME_MAX, USERNAME_MAX } from '#shared/limits.ts'
import { upperFirst } from '#shared/text/first-letter.ts'
import { GAME_SHARES, GAMES } from './games.ts'
import { bioOf } from './phrases.ts'
import type { Random } from './random.ts'

export type SeedMember = {
  id: number
  username: string
  displayName: string
  email: string
  bio: string | null
  showEmail: 0 | 1
  /** Most of the member's videos are of it. */
  game: BuiltInCategory
  /** Unix milliseconds. */
  joinedAt: number
}

const words = (text: string) => text.split(' ')

const FIRST = words(
  `silent rusty frosty lucky salty night pixel turbo ghost crispy lazy swift iron neon toxic wild
  hollow rapid foggy grumpy mellow cosmic stray static velvet feral amber bitter tiny mighty broken
  sleepy angry golden crimson shadow polar sonic arctic savage retro shady`.replace(/\s+/g, ' '),
)
const SECOND = words(
  `fox badger raven otter wolf moose falcon panda goblin wizard pirate bandit toaster potato noodle
  waffle pickle biscuit cactus hammer rocket anvil comet ember viper lynx hornet kraken yeti gecko
  crow pigeon hatchet lantern drifter nomad medic sniper clutch spray recoil lobby`.replace(
    /\s+/g,
    ' ',
  ),
)
const GIVEN = words(
  `Mia Jonas Lena Tom Aylin Marek Sofia Noah Elif Pavel Greta Luca Nora Felix Ida Omar Hanna Jakub
  Zoe Emil Yuki Kaan Runa Piet Selma Viktor Alma Dario Tess Henrik`.replace(/\s+/g, ' '),
)
const DAY_MS = 86_400_000
const SITE_AGE_DAYS = 540

/**
 * Oldest first.
 * @param input.taken usernames and emails in use, in lower case; extended by the new ones
 */
export function makeMembers(
  input: { count: number; firstId: number; until: number; taken: Set<string> },
  random: Random,
): SeedMember[] {
  const { count, firstId, until } = input
  const joined = Array.from({ length: count }, (_, index) =>
    index === 0 ? 1 : 0.99 * random.fraction() ** 0.8,
  ).sort((one, other) => other - one)
  return joined.map((age, index) => {
    const username = takeUsername(input.taken, random)
    const game = pickGame(random)
    const extra = { game: game === 'Other' ? 'gaming' : game }
    return {
      id: firstId + index,
      username,
      displayName: displayNameOf(username, random),
      email: `${username.toLowerCase()}@example.org`,
      bio: random.chance(0.7) ? bioOf(GAMES[game], random, extra) : null,
      showEmail: random.chance(0.05) ? 1 : 0,
      game,
      joinedAt: Math.floor(until - age * SITE_AGE_DAYS * DAY_MS),
    }
  })
}

/** Weighted by `GAME_SHARES`. */
export function pickGame(random: Random): BuiltInCategory {
  const sum = GAME_SHARES.reduce((total, [, share]) => total + share, 0)
  let left = random.fraction() * sum
  for (const [game, share] of GAME_SHARES) {
    left -= share
    if (left < 0) return game
  }
  return 'Other'
}

function takeUsername(taken: Set<string>, random: Random): string {
  for (let attempt = 0; ; attempt++) {
    const name = usernameOf(random, attempt).slice(0, USERNAME_MAX)
    const key = name.toLowerCase()
    if (taken.has(key) || taken.has(`${key}@example.org`)) continue
    taken.add(key).add(`${key}@example.org`)
    return name
  }
}

/** After a few attempts a growing number makes it unique. */
function usernameOf(random: Random, attempt: number): string {
  const first = random.pick(FIRST)
  const second = random.pick(SECOND)
  if (attempt > 3) return `${first}_${second}_${random.integer(1, 9 * 10 ** Math.min(6, attempt))}`
  switch (random.integer(0, 5)) {
    case 0:
      return `${first}${upperFirst(second)}`
    case 1:
      return `${first}_${second}`
    case 2:
      return `${second}${random.integer(2, 99)}`
    case 3:
      return `${random.pick(GIVEN).toLowerCase()}.${second}`
    case 4:
      return `xX${upperFirst(second)}Xx`
    default:
      return `${upperFirst(first)}${upperFirst(second)}${random.integer(1, 999)}`
  }
}

function displayNameOf(username: string, random: Random): string {
  const name = random.pick(GIVEN)
  const noun = upperFirst(random.pick(SECOND))
  const chosen = random.pick([
    username,
    name,
    `${name} the ${noun}`,
    `${upperFirst(random.pick(FIRST))} ${noun}`,
    `${name} | ${noun} Squad`,
    `${noun} TV`,
  ])
  return chosen.slice(0, DISPLAY_NAME_MAX)
}
