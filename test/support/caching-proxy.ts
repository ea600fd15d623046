import { startLocalServer } from './proxy.ts'

type Kept = { status: number; headers: Record<string, string>; bytes: Buffer }

/** What a CDN does that gets its files from the site: it keeps what the site lets it keep, part by part. */
export async function startCachingProxy(origin: string) {
  const kept = new Map<string, Kept>()
  let hits = 0

  async function get(url: string, range: string | undefined): Promise<Kept> {
    const key = `${url} ${range}`
    const known = kept.get(key)
    if (known) {
      hits += 1
      return known
    }
    const answer = await fetch(origin + url, {
      headers: range ? { range } : {},
      redirect: 'manual',
    })
    const { connection, 'transfer-encoding': _, ...headers } = Object.fromEntries(answer.headers)
    const got = { status: answer.status, headers, bytes: Buffer.from(await answer.arrayBuffer()) }
    if (headers['cache-control']?.startsWith('public')) kept.set(key, got)
    return got
  }
  const server = await startLocalServer(({ asked, response }) =>
    get(asked.url ?? '', asked.headers.range)
      .then(({ status, headers, bytes }) => response.writeHead(status, headers).end(bytes))
      .catch(() => response.destroy()),
  )
  return {
    ...server,
    countKept: () => kept.size,
    countHits: () => hits,
  }
}
