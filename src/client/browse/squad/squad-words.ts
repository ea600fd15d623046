import type { Squad, SquadMember } from '#shared/schemas/squad.schemas.ts'
import type { SquadColour, SquadEmblem, SquadJoining, SquadRole } from '#shared/squads.ts'

export const JOINING_WORDS: Record<SquadJoining, { name: string; text: string }> = {
  open: { name: 'Open', text: 'Anyone on this site can join' },
  request: { name: 'By request', text: 'You or an officer lets people in' },
  invite: { name: 'By invitation', text: 'Others do not see the squad at all' },
}

export const ROLE_WORDS: Record<SquadRole, string> = {
  owner: 'Owner',
  officer: 'Officer',
  member: 'Member',
}

/** Sorts those who were there lately to the front. */
export const byPresence = (a: SquadMember, b: SquadMember) =>
  Number(b.wasHereLately) - Number(a.wasHereLately)

export const COLOUR_WORDS: Record<SquadColour, string> = {
  lime: 'Lime',
  green: 'Green',
  teal: 'Teal',
  sky: 'Sky',
  blue: 'Blue',
  violet: 'Violet',
  pink: 'Pink',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
}

export const EMBLEM_WORDS: Record<SquadEmblem, string> = {
  shield: 'Shield',
  flame: 'Flame',
  bolt: 'Bolt',
  crown: 'Crown',
  ghost: 'Ghost',
  skull: 'Skull',
  sword: 'Sword',
  target: 'Target',
  rocket: 'Rocket',
  moon: 'Moon',
  star: 'Star',
  paw: 'Paw',
}

export function countMembers(count: number): string {
  return count === 1 ? '1 member' : `${count} members`
}

export const leads = ({ myRole }: Pick<Squad, 'myRole'>) =>
  myRole === 'owner' || myRole === 'officer'

/** A removed member cannot ask to join an open squad, only be invited. */
export const isKeptOut = ({ wasRemoved, joining, isInvited }: Squad): boolean =>
  wasRemoved && joining === 'open' && !isInvited
