import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

/** An address that an admin entered, which is told of events or gets messages. */
export interface WebhooksTable {
  id: Generated<number>
  format: 'standard' | 'discord'
  name: string
  /** A secret with `discord`, whose addresses contain a token. */
  url: string
  isActive: Default<Flag>
  /** Consecutive failures. */
  failures: Default<number>
  /** The time at which sending stopped because of failures. */
  pausedAt: string | null
  lastError: string | null
  createdAt: string
  /** `standard`: `whsec_` and the key in base 64. */
  secret: string | null
  /** `standard`: also signs for a day after `renewedAt`. */
  previousSecret: string | null
  renewedAt: string | null
  /** `standard`: a JSON array of kinds of events. */
  kinds: Default<string>
  /** `discord`: posts videos of this category only. */
  category: string | null
  /** `discord`: posts videos by members of this squad only. */
  squadId: number | null
  /** `discord`: posts videos of this member only. */
  channelId: number | null
  /** `discord`: the text of a post. */
  template: Default<string>
  sendsFile: Default<Flag>
  editsPosts: Default<Flag>
  deletesPosts: Default<Flag>
}

/** A message to one webhook. The body is written when it is sent. */
export interface WebhookDeliveriesTable {
  id: Generated<number>
  webhookId: number
  /** The same in each attempt and for all webhooks. */
  messageId: string
  kind: string
  /** JSON: ids of the rows that the message is about. */
  data: string
  /** `dropped`: there was nothing left that may be told. */
  state: Default<'waiting' | 'delivered' | 'failed' | 'dropped'>
  createdAt: string
  /** Null once it is settled. While a node sends it, other nodes leave it alone until this time. */
  nextAt: string | null
  attempts: Default<number>
  lastError: string | null
  attemptedAt: string | null
  /** HTTP status of the last answer. */
  status: number | null
  ms: number | null
  /** The beginning of the last answer. */
  answer: string | null
}

/** Videos that everybody could watch once: they are not announced again. */
export interface AnnouncedVideosTable {
  videoId: number
}

/** The message about a video in a chat. */
export interface ChatPostsTable {
  id: Generated<number>
  webhookId: number
  /** Has no foreign key, because the message is deleted after the video. */
  videoId: number
  /** `sending` is stored before the request. A post found in it later is `unknown`, and not sent again. */
  state: Default<'waiting' | 'sending' | 'posted' | 'unknown' | 'refused' | 'deleted'>
  messageId: string | null
  /** The text that was sent last. */
  content: Default<string>
  /** Triggers raise it with each change of the video. */
  version: Default<number>
  createdAt: string
  /** Null while there is nothing to do. While a node sends it, other nodes leave it alone until this time. */
  nextAt: string | null
  attempts: Default<number>
  lastError: string | null
}
