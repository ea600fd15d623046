import { upperFirst } from '#shared/text/first-letter.ts'
import type { Game } from './games.ts'
import type { Random } from './random.ts'

const TITLES = [
  '{Feat} on {place}',
  '{Feat} with the {weapon}',
  '{n} kills at {place}',
  '{Event} but everything goes wrong',
  'How we won {event}',
  '{weapon} only challenge, part {part}',
  'The {person} never saw it coming',
  'POV: you meet the {person} at {place}',
  'Nobody checks this spot at {place}',
  'I found the {thing} and lost it in {n} seconds',
  'Best {feat} of my life?',
  '{Event}, full recording',
  '{place} highlights #{part}',
  'One {weapon}, {n} kills',
  'The worst {person} on the server',
  'Why the {weapon} is still broken',
  '{n} tips for {place}',
  'We tried {event} with no sound',
  'That {thing} was not supposed to work',
  'From nothing to {thing} in {minutes} minutes',
  '{Feat} to end {event}',
  'My teammate is the {person}',
  'Squad night: {event}',
  'Me vs the {person} vs the {thing}',
  'Cleanest {feat} this year',
  'They wanted the {thing}, they got the {weapon}',
  'Learning {place}, day {part}',
  '{place} {feat}, no commentary',
  'Is the {thing} worth it?',
  'Every {feat} from last week',
  'Funny moments from {event}',
  'He had the {weapon}. I had the {thing}.',
  'What happens when the {person} joins {event}',
  'The {minutes} minute {feat}',
  'Watch until the end ({event})',
  'I should not have survived this',
  'Insane {feat} at {place}',
  'ok the {weapon} is actually good',
  'lost {event} because of one {thing}',
  '{Event} with the whole community',
] as const

const OPENINGS = [
  'Recorded during {event} yesterday evening.',
  'Took me three tries and one {thing}.',
  'The {person} at {place} was not ready for this.',
  'We only wanted to check {place} and then this happened.',
  'Been practising the {weapon} for a week, finally it pays off.',
  'Sorry for the mic, the dog had opinions about {event}.',
  'Clip from our squad night. Thanks to everybody who joined!',
  'Short one today. A longer cut of {event} is coming this weekend.',
  'No plan, no {thing}, just the {weapon}.',
  'Rewatched this ten times and I still do not know how it worked.',
  'If you were the {person}: good game, no hard feelings.',
  'Settings and crosshair are in the link below.',
] as const

const CHAPTERS = [
  'Warm-up',
  'Getting to {place}',
  'First fight',
  'The {thing}',
  'Things go wrong',
  'The {person} appears',
  '{Feat}',
  'Counting the loot',
  'Aftermath',
  'Outro',
] as const

const COMMENTS = [
  'The {feat} at {time} was clean',
  'How did you hear him at {time}?',
  '{time} I screamed',
  'That {weapon} sound never gets old',
  'gg, I was the {person} in this one',
  'Been there, {place} is a nightmare right now',
  'Can you share your settings?',
  'What sensitivity do you play on?',
  'Underrated clip',
  'First time I see somebody use the {thing} like that',
  'Nice {feat}!',
  'The timing, wow',
  'We need more of {event}',
  'I tried this and died in four seconds',
  'Why does nobody on my team play like this',
  'Actually useful, thank you',
  'my {thing} could never',
  'the silence at {time} says everything',
  'Please do one on {place} next',
  'Subscribed after that {feat}',
  'He really said no to the {person}',
  'You got lucky at {time}, admit it',
  'Okay but who brings the {weapon} to {place}?',
  'I was watching this live, chat went crazy',
  'Bro forgot the {thing} existed',
  'Same spot, same {person}, every single time',
  'This deserves way more views',
  'Music name?',
  'Count me in for the next squad night',
  'lmao {time}',
  'W clip',
  'Good video, but the {weapon} needs a nerf',
] as const

const REPLIES = [
  'Thanks a lot!',
  'haha yes',
  'It is in the description',
  'I have to disagree, the {weapon} is fine',
  'Same here, every time at {place}',
  'You should have seen the take before this one',
  'Footsteps, left side. Listen again at {time}',
  'No chance, that was skill',
  'next Friday, join us',
  '800 dpi, 1.1 in game',
  'true',
  'That was me, sorry about the {thing}',
  'Working on it, probably this weekend',
  'good game, rematch when?',
  'I thought so too until I tried it',
  'ask the {person}',
] as const

const BIOS = [
  'Clips, fails and the occasional {feat}. Mostly {game}.',
  '{game} player since the first wipe. Weekends only.',
  'I upload so that my friends believe me.',
  'Part-time {person}, full-time {weapon} enjoyer.',
  'Recording everything since {year}. Ask before you use a clip.',
  'Guides for {place} and whatever else I get wrong first.',
  'Admin of a small {game} community. Squad nights on Friday.',
  'Just here for {event}.',
  'Editing is a hobby, {game} is a problem.',
] as const

/** Replacements besides the words of the game. */
type Extra = Record<string, string>

export const titleOf = (game: Game, random: Random) => fill(random.pick(TITLES), game, random)
export const openingOf = (game: Game, random: Random) => fill(random.pick(OPENINGS), game, random)
export const chapterOf = (game: Game, random: Random) => fill(random.pick(CHAPTERS), game, random)

export function commentOf(game: Game, random: Random, extra: Extra): string {
  return fill(random.pick(COMMENTS), game, random, extra)
}

export function replyOf(game: Game, random: Random, extra: Extra): string {
  return fill(random.pick(REPLIES), game, random, extra)
}

export function bioOf(game: Game, random: Random, extra: Extra): string {
  return fill(random.pick(BIOS), game, random, extra)
}

/** Replaces placeholders such as `{place}`; a capital letter in the name capitalises the word. */
function fill(template: string, game: Game, random: Random, extra: Extra = {}): string {
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const lower = name.toLowerCase()
    const word = extra[lower] ?? wordOf(lower, game, random)
    return name === lower ? word : upperFirst(word)
  })
  return template.startsWith('{') ? upperFirst(text) : text
}

function wordOf(name: string, game: Game, random: Random): string {
  switch (name) {
    case 'place':
      return random.pick(game.places)
    case 'weapon':
      return random.pick(game.weapons)
    case 'person':
      return random.pick(game.people)
    case 'event':
      return random.pick(game.events)
    case 'thing':
      return random.pick(game.things)
    case 'feat':
      return random.pick(game.feats)
    case 'n':
      return String(random.integer(2, 9))
    case 'part':
      return String(random.integer(1, 60))
    case 'minutes':
      return String(random.integer(3, 45))
    case 'year':
      return String(random.integer(2014, 2024))
    default:
      throw new Error(`No phrase may hold {${name}}.`)
  }
}
