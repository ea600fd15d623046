/**
 * Posts, edits and deletes the messages about videos in chats. A post is marked before it is sent, and never sent again
 * from then on, because Discord cannot be asked whether it arrived. See docs/decisions/0084-webhooks.md.
 */
import { buffer } from 'node:stream/consumers'
import { findSharedVideo, type SharedVideo } from '#server/discovery/sharing/sharing.queries.ts'
import { type Database, timestamp, writeQuietly } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { deleteRow } from '#server/platform/outbox/outbox.queries.ts'
import { createOutbox, type Outbox, type OutboxLog } from '#server/platform/outbox/outbox.ts'
import { type Outgoing, OutgoingError } from '#server/platform/outgoing/outgoing.ts'
import { keyOf } from '#server/video/video/media-address.ts'
import { CHAT_FILE_BYTES_MAX } from '#shared/webhooks.ts'
import {
  beginChatPost,
  type ChatPostRow,
  findDueChatPost,
  isLadderComing,
  settleChatPost,
} from './chat-post.queries.ts'
import {
  type Called,
  CHAT_LEASE_MS,
  deleteMessage,
  editMessage,
  postMessage,
  readMessageId,
} from './discord.ts'
import { renderPost } from './post-text.ts'
import { WAITS_MS } from './waits.ts'
import { findWebhook, noteFailure, noteSuccess, type WebhookRow } from './webhook.queries.ts'

const POLL_MS = 2000
const LANES = 4
const SOMEBODY = 'Somebody'
const STOPPED = 'The server was stopped while it was sent. It may or may not be in the chat.'

type Deps = {
  db: Database
  media: MediaStore
  outgoing: Outgoing
  log: OutboxLog
  deadline: AbortSignal
  origin: string
}

type Change = Parameters<typeof settleChatPost>[1]['change']
type Outcome = {
  change: Change
  nextAt?: string | null
  /** Counts as a failure of the webhook. */
  error?: string
  /** The webhook is of no use any more. */
  isGone?: boolean
  arrived?: boolean
}

const ASLEEP: Outcome = { change: {} }

export function createChatPoster(deps: Deps): Outbox {
  const { db, log, deadline } = deps

  async function attempt(post: ChatPostRow): Promise<boolean> {
    const webhook = await findWebhook(db, post.webhookId)
    if (!webhook) return true
    if (post.state === 'sending') {
      await settle(post, { change: { state: 'unknown', lastError: STOPPED } })
      return true
    }
    const video = await findSharedVideo(db, { id: post.videoId, evenHidden: true })
    const shown = video?.isListed ? video : undefined
    const task = { deps, webhook, post, video: shown }
    const outcome = post.state === 'waiting' ? await postVideo(task) : await keepUp(task)
    await settle(post, outcome)
    const isDone = (outcome.nextAt ?? null) === null
    if (!video && isDone) await deleteRow(db, 'chatPosts', post.id)
    return true
  }

  async function settle(post: ChatPostRow, outcome: Outcome): Promise<void> {
    const { id, version, webhookId } = post
    const { change, nextAt = null, error, isGone = false, arrived } = outcome
    const isPaused = await writeQuietly(db, async (transaction) => {
      await settleChatPost(transaction, { id, version, nextAt, change })
      if (arrived) await noteSuccess(transaction, webhookId)
      if (error === undefined) return false
      return noteFailure(transaction, { id: webhookId, error, pauses: isGone })
    })
    if (error === undefined) return
    const facts = { webhook: webhookId, video: post.videoId, reason: error }
    if (isPaused) log.warn(facts, 'a webhook is paused after too many failures')
    else log.info(facts, 'a message in a chat could not be sent, edited or deleted')
  }

  return createOutbox({
    ...({ db, log, deadline, table: 'chatPosts', noun: 'messages in chats' } as const),
    ...{ leaseMs: CHAT_LEASE_MS, pollMs: POLL_MS, lanes: LANES },
    ...{ findDue: findDueChatPost, attempt, laneOf: ({ webhookId }: ChatPostRow) => webhookId },
  })
}

type Task = {
  deps: Deps
  webhook: WebhookRow
  post: ChatPostRow
  /** Undefined unless everybody finds it. */
  video: SharedVideo | undefined
}

async function postVideo({ deps, webhook, post, video }: Task): Promise<Outcome> {
  const { db, outgoing, deadline: signal } = deps
  if (!video) return ASLEEP
  if (video.hlsUrl === null && (await isLadderComing(db, video.id))) return ASLEEP
  const file = webhook.sendsFile === 1 ? await readFile(deps, video) : undefined
  const textFor = (hasFile: boolean) => renderText(deps, { webhook, video, hasFile })
  const content = textFor(file !== undefined)
  const { id } = post
  const isMine = await writeQuietly(db, (transaction) =>
    beginChatPost(transaction, { id, content }),
  )
  if (!isMine) return ASLEEP
  failpoint('chat-post.begun')
  const place = { outgoing, url: webhook.url, signal }
  try {
    const first = await postMessage(place, { content, file })
    // The server allows smaller files only.
    const isTooLarge = file !== undefined && first.status === 413
    const called = isTooLarge ? await postMessage(place, { content: textFor(false) }) : first
    failpoint('chat-post.answered')
    if (wasTaken(called)) {
      const change = { state: 'posted' as const, messageId: readMessageId(called), attempts: 0 }
      const text = isTooLarge ? { content: textFor(false) } : {}
      return { change: { ...change, ...text, lastError: null }, arrived: true }
    }
    return refused(post, called)
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    const { message: lastError } = error
    if (error.wasSent) return { change: { state: 'unknown', lastError }, error: lastError }
    if (signal.aborted) return { change: { state: 'waiting' }, nextAt: timestamp() }
    return later(post, { error: lastError, state: 'waiting' })
  }
}

/** Edits or deletes a message. Both may be repeated. */
async function keepUp({ deps, webhook, post, video }: Task): Promise<Outcome> {
  const { messageId } = post
  if (messageId === null) return ASLEEP
  const place = { outgoing: deps.outgoing, url: webhook.url, signal: deps.deadline }
  const hasFile = post.content.includes(`<${linkTo(deps, post.videoId)}>`)
  const content = video && renderText(deps, { webhook, video, hasFile })
  const isEdited = content !== undefined && webhook.editsPosts === 1 && content !== post.content
  const isDeleted = content === undefined && webhook.deletesPosts === 1
  if (!isEdited && !isDeleted) return ASLEEP
  try {
    const called = isEdited
      ? await editMessage(place, messageId, content)
      : await deleteMessage(place, messageId)
    // Somebody may have deleted it in the chat.
    if (isDeleted ? wasTaken(called) || called.status === 404 : called.status === 404) {
      return { change: { state: 'deleted', messageId: null, attempts: 0 }, arrived: true }
    }
    if (wasTaken(called)) {
      return { change: { content: content ?? '', lastError: null, attempts: 0 }, arrived: true }
    }
    return refused(post, called)
  } catch (error) {
    if (!(error instanceof OutgoingError) || deps.deadline.aborted) throw error
    return later(post, { error: error.message, state: 'posted' })
  }
}

const wasTaken = ({ status }: Called) => status >= 200 && status < 300

/** An answer that says that nothing was done, except those that leave it open. */
function refused(post: ChatPostRow, { status, retryAfterMs }: Called): Outcome {
  const isPosted = post.state === 'posted'
  const state = isPosted ? 'posted' : 'waiting'
  const error = `Discord answered with status ${status}.`
  if (status === 429) {
    const nextAt = inMs(retryAfterMs ?? WAITS_MS[0] ?? 0)
    return { change: { state, attempts: post.attempts }, nextAt }
  }
  if (status === 503 || (isPosted && status >= 500)) return later(post, { error, state })
  if (status >= 500) return { change: { state: 'unknown', lastError: error }, error }
  const isGone = status === 401 || status === 404
  if (isGone) {
    const sentence = 'Discord does not know this webhook any more.'
    return { change: { state, lastError: sentence }, nextAt: inMs(0), error: sentence, isGone }
  }
  return { change: { state: isPosted ? 'posted' : 'refused', lastError: error }, error }
}

function later(
  { attempts }: ChatPostRow,
  { error, state }: { error: string; state: 'waiting' | 'posted' },
): Outcome {
  const waitMs = WAITS_MS[attempts]
  if (waitMs !== undefined)
    return { change: { state, lastError: error }, nextAt: inMs(waitMs), error }
  return { change: { state: state === 'posted' ? 'posted' : 'refused', lastError: error }, error }
}

const inMs = (ms: number) => timestamp(new Date(Date.now() + ms))

const linkTo = ({ origin }: Pick<Deps, 'origin'>, videoId: number) => `${origin}/video/${videoId}`

function renderText(
  deps: Deps,
  { webhook, video, hasFile }: { webhook: WebhookRow; video: SharedVideo; hasFile: boolean },
): string {
  const link = linkTo(deps, video.id)
  return renderPost(webhook.template, {
    title: video.title,
    name: video.channel?.displayName ?? SOMEBODY,
    game: video.category,
    // Discord shows no preview of links in angle brackets. The attached file is enough.
    link: hasFile ? `<${link}>` : link,
  })
}

/** @returns undefined without a file of at most 10 MiB, and if the owner turned off 'Show in Discord' */
async function readFile({ media }: Deps, video: SharedVideo) {
  const { playable, discordEmbed, mediaKey, id } = video
  const key = playable && keyOf(mediaKey, playable.url)
  if (!discordEmbed || !key) return undefined
  const stored = await media.stat(key)
  if (!stored || stored.bytes > CHAT_FILE_BYTES_MAX) return undefined
  const stream = await media.openRange(key)
  return stream && { name: `video-${id}.mp4`, bytes: await buffer(stream) }
}
