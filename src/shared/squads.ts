/** The values that a squad can have; the client draws the colours and emblems. */

export const SQUAD_COLOURS = [
  'lime',
  'green',
  'teal',
  'sky',
  'blue',
  'violet',
  'pink',
  'red',
  'orange',
  'yellow',
] as const
export type SquadColour = (typeof SQUAD_COLOURS)[number]

export const SQUAD_EMBLEMS = [
  'shield',
  'flame',
  'bolt',
  'crown',
  'ghost',
  'skull',
  'sword',
  'target',
  'rocket',
  'moon',
  'star',
  'paw',
] as const
export type SquadEmblem = (typeof SQUAD_EMBLEMS)[number]

/** Anyone can join an `open` squad. A leader must accept a `request`, or send an `invite`. */
export const SQUAD_JOININGS = ['open', 'request', 'invite'] as const
export type SquadJoining = (typeof SQUAD_JOININGS)[number]

export const SQUAD_ROLES = ['owner', 'officer', 'member'] as const
export type SquadRole = (typeof SQUAD_ROLES)[number]
