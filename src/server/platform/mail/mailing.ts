/**
 * The queue of email. A row has the kind, the recipient and the data of an email. Its text, with any secret link, is
 * written when it is sent and is not stored. See docs/decisions/0080-mail.md.
 */
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { type Database, timestamp } from '../db/database.ts'
import type { MailConfig } from '../mail-config.ts'
import { deleteRow, postponeRow } from '../outbox/outbox.queries.ts'
import { createOutbox, type Outbox, type OutboxLog } from '../outbox/outbox.ts'
import type { RateLimits } from '../request/rate-limits.ts'
import { findSiteSettings, findViewerSecret } from '../site/site.queries.ts'
import type { Letter, LetterSite } from './letter.ts'
import {
  findDueMail,
  insertMail,
  noteAddressState,
  postponeDueMails,
  type WaitingMail,
} from './mail.queries.ts'
import { createSmtp, MailError, SENDING_MS } from './smtp.ts'

const LEASE_MS = 3 * SENDING_MS
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 60 * 60_000
const KEPT_MS = 24 * 60 * 60_000
const POLL_MS = 15_000

const UNWRITTEN = { message: 'The email could not be written.', fault: 'later' } as const

export type Composing = { db: Database; limits: RateLimits; origin: string }

export type MailKind<Data = unknown> = {
  kind: string
  data: z.ZodType<Data>
  /** Resolves to undefined if there is nothing left to tell. */
  compose(
    deps: Composing,
    mail: { userId: number | null; data: Data; isRepeated: boolean },
  ): Promise<Letter | undefined>
}

/** Creates kinds that need only the member. */
export const noData = z.object({})

export type Mailing = Outbox & {
  host: string
  from: string
  /** Adds an email to the queue, within the transaction of a change or alone. Call `wake` afterwards. */
  post: <Data>(
    db: Database,
    kind: MailKind<Data>,
    mail: { userId: number | null; data: Data },
  ) => Promise<void>
  /** @throws MailError */
  sendNow: (letter: Letter) => Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface AppDeps {
    /** Undefined on a site that sends no email. */
    mail: Mailing | undefined
  }
}

type Deps = {
  config: Config
  db: Database
  limits: RateLimits
  log: OutboxLog
  deadline: AbortSignal
}

export function createMailing(
  { config, db, limits, log, deadline }: Deps,
  kinds: readonly MailKind[],
): Mailing | undefined {
  const { mail: place, publicUrl } = config
  return place && publicUrl !== undefined
    ? openQueue({ db, limits, log, deadline, kinds, place, origin: publicUrl })
    : undefined
}

type Queue = Omit<Deps, 'config'> & {
  kinds: readonly MailKind[]
  place: MailConfig
  origin: string
}

function openQueue({ db, limits, log, deadline, kinds, place, origin }: Queue): Mailing {
  const smtp = createSmtp(place)
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]))
  /** Ids of mails that the mail server accepted, whose rows may not be deleted yet. */
  const accepted = new Set<number>()
  let isFailing = false

  const readSite = async (): Promise<LetterSite> => {
    const { name, accent } = await findSiteSettings(db)
    return { name, accent, origin }
  }

  async function send(mail: WaitingMail): Promise<'sent' | 'dropped'> {
    const letter = await compose(mail)
    if (!letter) return 'dropped'
    const messageId = await nameMessage(db, { id: mail.id, createdAt: mail.createdAt, origin })
    try {
      await smtp.send(letter, { site: await readSite(), messageId, signal: deadline })
    } catch (error) {
      if (error instanceof MailError && error.fault === 'address') {
        await noteAddressState(db, { ...letter, address: letter.to, isRefused: true })
      }
      throw error
    }
    accepted.add(mail.id)
    await deleteRow(db, 'mails', mail.id)
    await noteAddressState(db, { ...letter, address: letter.to, isRefused: false })
    return 'sent'
  }

  async function compose({ kind, userId, data, attempts }: WaitingMail) {
    const known = byKind.get(kind)
    if (!known) return undefined
    const given = known.data.parse(JSON.parse(data))
    return known.compose({ db, limits, origin }, { userId, data: given, isRepeated: attempts > 0 })
  }

  /** @returns whether further mail can be sent now */
  async function attempt(mail: WaitingMail): Promise<boolean> {
    const { id, kind, userId } = mail
    try {
      const outcome = accepted.has(id) ? 'dropped' : await send(mail)
      if (outcome === 'dropped') await deleteRow(db, 'mails', id)
      accepted.delete(id)
      if (outcome === 'sent') {
        if (isFailing) log.info({}, 'email is sent again')
        isFailing = false
        log.info({ mail: id, kind, userId }, 'email sent')
      }
      return true
    } catch (error) {
      // The server is stopping. The email is sent later, by this node or another.
      if (deadline.aborted) throw error
      return settleFailure(mail, error)
    }
  }

  async function settleFailure(mail: WaitingMail, error: unknown): Promise<boolean> {
    const { id, kind, userId, attempts } = mail
    const isKnown = error instanceof MailError
    const { message: reason, fault } = isKnown ? error : UNWRITTEN
    const facts = { mail: id, kind, userId, reason, ...(!isKnown && { err: error }) }
    const now = Date.now()
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS)
    const nextAt = timestamp(new Date(now + waitMs))
    if (fault === 'server') {
      await postponeDueMails(db, { now: timestamp(new Date(now)), nextAt })
      if (!isFailing) log.warn(facts, 'no email can be sent; it is tried again')
      isFailing = true
    }
    if (fault === 'address' || fault === 'letter' || Date.parse(mail.createdAt) + KEPT_MS <= now) {
      await deleteRow(db, 'mails', id)
      log.warn({ ...facts, attempts: attempts + 1 }, 'an email was given up')
      return fault !== 'server'
    }
    await postponeRow(db, 'mails', { id, nextAt, lastError: reason })
    if (fault !== 'server') log.info(facts, 'an email was not taken; it is sent again later')
    return fault !== 'server'
  }

  const outbox = createOutbox({
    ...({ db, log, deadline, table: 'mails', noun: 'email', attempt } as const),
    findDue: (_, { now }) => findDueMail(db, now),
    ...{ leaseMs: LEASE_MS, pollMs: POLL_MS },
    ...{ lanes: 1, laneOf: () => 0 },
  })

  return {
    ...outbox,
    host: place.host,
    from: place.from.address,
    async post(transaction, { kind }, { userId, data }) {
      await insertMail(transaction, { kind, userId, data: JSON.stringify(data) })
    },
    async sendNow(letter) {
      const messageId = await nameMessage(db, { id: 'now', createdAt: timestamp(), origin })
      await smtp.send(letter, { site: await readSite(), messageId, signal: deadline })
    },
  }
}

/** Returns the same id in each attempt, so that a receiver recognises an email that it already has. */
async function nameMessage(
  db: Database,
  { id, createdAt, origin }: { id: number | 'now'; createdAt: string; origin: string },
): Promise<string> {
  const secret = await findViewerSecret(db)
  const name = createHmac('sha256', secret).update(`mail ${id} ${createdAt}`).digest('base64url')
  return `<${name.slice(0, 32)}@${new URL(origin).hostname}>`
}
