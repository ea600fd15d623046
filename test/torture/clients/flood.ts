import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ADDRESSES, hangUp, openLines, statusOf } from './abuser.ts'

/** Opens more connections from one address than it may have. @returns what went otherwise than it should */
export async function floodWithConnections(
  port: number,
  { count, allowed }: { count: number; allowed: number },
): Promise<string[]> {
  const lines = openLines(port, count)
  const refused = () => lines.filter((line) => statusOf(line) === 429).length
  for (let at = 0; at < 300 && refused() < count - allowed; at++) await pause(100)
  const turnedAway = refused()
  hangUp(lines)
  return turnedAway === count - allowed
    ? []
    : [`Of ${count} connections from one address ${turnedAway} were turned away.`]
}

type Ask = { from: string; forwardedFor?: string }

/** How many reads of the API an address has in ten seconds. */
const READS_MAX = 300

/**
 * Uses up an address's reads, and looks whom that concerns. A forwarded address counts only when it comes
 * from the trusted proxy, and then the last one before it: what stands further left anyone can write.
 * @returns what went otherwise than it should
 */
export async function tryLimits(port: number, mode: 'direct' | 'proxied'): Promise<string[]> {
  const failures: string[] = []
  const expectStatus = async (ask: Ask, status: number, what: string) => {
    const answered = await read(port, ask)
    if (answered !== status) failures.push(`${mode}: ${what} was answered ${answered}.`)
  }
  const { abuser, others, proxy } = ADDRESSES
  const spoofed = (at: number) => `198.51.100.${at % 250}`

  // As a new address each time, by its own word.
  await spendReads(port, (at) => ({ from: abuser, forwardedFor: spoofed(at) }))
  await expectStatus({ from: abuser }, 429, 'a user who had used up the reads')
  const ask = { from: abuser, forwardedFor: '203.0.113.9' }
  await expectStatus(ask, 429, 'a user who pretended to be another')
  await expectStatus({ from: others }, 200, 'another client')
  if (mode === 'direct') return failures

  await spendReads(port, (at) => ({ from: proxy, forwardedFor: `${spoofed(at)}, 192.0.2.7` }))
  const behind = (forwardedFor: string) => ({ from: proxy, forwardedFor })
  await expectStatus(behind('192.0.2.7'), 429, 'a client of the proxy that had used up the reads')
  await expectStatus(behind('203.0.113.1, 192.0.2.7'), 429, 'the same with another name in front')
  await expectStatus(behind('192.0.2.8'), 200, 'another client of the proxy')
  return failures
}

async function spendReads(port: number, ask: (at: number) => Ask): Promise<void> {
  const queue = Array.from({ length: READS_MAX + 20 }, (_, at) => at)
  const work = async () => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) await read(port, ask(at))
  }
  await Promise.all(Array.from({ length: 10 }, work))
}

function read(port: number, { from, forwardedFor }: Ask): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {}
    const options = { host: '127.0.0.1', port, path: '/api/categories', localAddress: from }
    const sent = request({ ...options, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}
