import type { ServerChild } from './server-child.ts'

/** Of the answers of a row that says which kind it is. */
const AT_LEAST = 0.95
const COUNTER = /^clutch_answer_cache_reads_total\{result="(hit|miss)"\} (\d+)$/gm

/**
 * Which share of a load a site answers from memory, by the counters that its /metrics shows. From the first call on the
 * site counts all that it does, which costs a little: it comes after what is measured.
 * @returns 0 to 1; undefined where nothing was asked that is cached, as by a member
 */
export async function shareFromMemory(
  site: Pick<ServerChild, 'origin'>,
  load: () => Promise<unknown>,
): Promise<number | undefined> {
  const before = await readCounts(site)
  await load()
  const after = await readCounts(site)
  const [hits, misses] = [after.hit - before.hit, after.miss - before.miss]
  return hits + misses === 0 ? undefined : hits / (hits + misses)
}

/** @throws Error when what a row calls a hit is none, or a miss is one */
export function requireShare(
  share: number | undefined,
  { what, isHit }: { what: string; isHit: boolean },
): void {
  const right = isHit ? share : share === undefined ? undefined : 1 - share
  if (right !== undefined && right >= AT_LEAST) return
  throw new Error(`'${what}': ${describeShare(share)}.`)
}

export function describeShare(share: number | undefined): string {
  return share === undefined ? 'nothing is cached' : `${Math.round(share * 100)} % from memory`
}

async function readCounts({ origin }: Pick<ServerChild, 'origin'>) {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const counts = { hit: 0, miss: 0 }
  for (const [, result, count] of text.matchAll(COUNTER)) {
    counts[result as keyof typeof counts] = Number(count)
  }
  return counts
}
