import type { Generated, Selectable } from 'kysely'
import type { SquadColour, SquadEmblem, SquadJoining, SquadRole } from '#shared/squads.ts'
import type { Default } from './column.ts'

export interface SquadsTable {
  id: Generated<number>
  name: string
  tag: string
  /** The tag in lower case. */
  foldedTag: string
  colour: SquadColour
  emblem: SquadEmblem
  description: Default<string>
  joining: SquadJoining
  /** 0 while the only member is banned. */
  memberCount: Default<number>
  createdAt: string
  /** A deleted squad has no members. Its row is deleted once no video or post refers to it. */
  deletedAt: string | null
}

export interface SquadMembersTable {
  squadId: number
  userId: number
  /** A squad with members has exactly one owner. */
  role: SquadRole
  joinedAt: string
  /** The time at which the member last opened the page of the squad. */
  openedAt: string | null
}

export interface SquadRequestsTable {
  squadId: number
  userId: number
  createdAt: string
}

export interface SquadInvitesTable {
  squadId: number
  userId: number
  createdAt: string
}

/** Members whom a leader removed and who have not been invited or accepted since. */
export interface SquadRemovalsTable {
  squadId: number
  userId: number
  removedAt: string
}

export type SquadRow = Selectable<SquadsTable>
