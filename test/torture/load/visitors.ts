import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TrafficOrder, TrafficReport } from './traffic.ts'

const TRAFFIC = join(import.meta.dirname, 'traffic.ts')
const PLAYABLE_FILES = 50

type Crowd = {
  visitors: number
  /** So many of them are signed in. */
  members: number
  perSecond: number
}

/** Who comes to a site that has videos, and what they look at. */
export async function prepareOrder(origin: string, { visitors, perSecond, ...crowd }: Crowd) {
  const answer = await fetch(`${origin}/api/videos?limit=100`)
  const videos = (await answer.json()) as { id: number; videoUrl: string }[]
  const files: TrafficOrder['files'] = []
  for (const { videoUrl: url } of videos.slice(0, PLAYABLE_FILES)) {
    const head = await fetch(origin + url, { method: 'HEAD' })
    files.push({ url, bytes: Number(head.headers.get('content-length')) })
  }
  const members: string[] = []
  for (let index = 0; index < crowd.members; index++)
    members.push(await register(origin, `visitor-${index}`))
  const videoIds = videos.map(({ id }) => id)
  return { origin, perSecond, visitors, members, videoIds, files }
}

/** @returns the cookie of a new member */
export async function register(origin: string, username: string): Promise<string> {
  const account = { username, displayName: username, email: `${username}@example.org` }
  const answer = await fetch(`${origin}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...account, password: 'correct horse' }),
  })
  if (answer.status !== 201)
    throw new Error(`${username} could not register: ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** @throws when the visitors die before they tell what they found */
export async function sendTraffic(order: TrafficOrder): Promise<TrafficReport> {
  const child = fork(TRAFFIC)
  child.send(order)
  // All that was sent comes before the end of the channel.
  const died = once(child, 'disconnect').then(() => {
    throw new Error('The visitors ended before they reported what they found.')
  })
  const [report] = (await Promise.race([once(child, 'message'), died])) as [TrafficReport]
  died.catch(() => {})
  return report
}
