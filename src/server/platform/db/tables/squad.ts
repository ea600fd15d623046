import type { Generated, Selectable } from 'kysely'
import type { SquadColour, SquadEmblem, SquadJoining, SquadRole } from '#shared/squads.ts'
import type { Default } from './column.ts'

export interface SquadsTable {
  id: Generated<number>
  name: string
  tag: string
  /** Lower case. */
  foldedTag: string
  colour: SquadColour
  emblem: SquadEmblem
  description: Default<string>
  joining: SquadJoining
  memberCount: Default<number>
  createdAt: string
  /** From then on it has no members; its row goes when nothing names it any more. */
  deletedAt: string | null
}

export interface SquadMembersTable {
  squadId: number
  userId: number
  /** One owner, while it has members. */
  role: SquadRole
  joinedAt: string
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

export type SquadRow = Selectable<SquadsTable>
