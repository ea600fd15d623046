import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger } from './ledger.ts'
import { type Answer, createSiteClient, type SiteClient } from './site-client.ts'

const PAUSE_MS = 1000
const NAME = 'sometimes-banned'

type Input = {
  admin: SiteClient
  /** Origins of the nodes themselves, not of the proxy. */
  nodes: string[]
  /** To comment on. */
  videoId: number
  ledger: Ledger
  failures: string[]
}

/**
 * An admin who bans a member and takes that back, again and again. What was acknowledged is in force at every node with the
 * next request, whatever dies meanwhile.
 * @returns ends it, with how many answers of banned members there were
 */
export async function startBans(input: Input): Promise<() => Promise<number>> {
  const { admin, nodes, videoId, ledger, failures } = input
  const id = await createSiteClient(admin.origin).register(NAME)
  if (id === undefined) throw new Error('Nobody could register.')
  let refusals = 0
  let isOver = false

  /** @returns whether there was the right answer; there is none at a node that is away */
  const expectAnswer = (who: string, answer: Answer | undefined, right: number[]): boolean => {
    if (!answer || answer.status === 503) return false
    if (right.includes(answer.status)) return true
    failures.push(`${who} was answered ${answer.status}: ${answer.text.slice(0, 200)}`)
    return false
  }
  const setBanned = async (isBanned: boolean) => {
    ledger.drop(`ban ${id}`)
    for (;;) {
      const answer = isBanned
        ? await admin.call('moderation.ban', { userId: id, reason: 'Tried' })
        : await admin.call('moderation.unban', { userId: id })
      // What had no answer may have been done.
      if (expectAnswer('An admin', answer, [200, 409])) break
      await pause(PAUSE_MS)
    }
    ledger.ban(id, isBanned)
  }
  const comment = (client: SiteClient) => client.comment(videoId, 'Still here')
  const logIn = async (): Promise<SiteClient[]> => {
    const signedIn: SiteClient[] = []
    for (const node of nodes) {
      const client = createSiteClient(node)
      const who = `One who is not banned, at ${node},`
      if (!expectAnswer(who, await client.logIn(NAME), [200])) continue
      if (expectAnswer(who, await comment(client), [200])) signedIn.push(client)
    }
    return signedIn
  }

  const banning = (async () => {
    while (!isOver) {
      const signedIn = await logIn()
      await setBanned(true)
      for (const client of signedIn) {
        const who = `One who is banned, at ${client.origin},`
        if (expectAnswer(who, await comment(client), [401])) refusals += 1
        if (expectAnswer(who, await client.logIn(NAME), [403])) refusals += 1
      }
      await setBanned(false)
      await pause(PAUSE_MS)
    }
  })()
  return async () => {
    isOver = true
    await banning
    return refusals
  }
}
