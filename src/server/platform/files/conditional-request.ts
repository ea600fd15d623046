import type { FastifyRequest } from 'fastify'

/** RFC 9110, 13.2.2: `If-None-Match` before `If-Modified-Since`. */
export function isFresh(
  request: Pick<FastifyRequest, 'headers'>,
  current: { etag: string; modifiedAt?: Date | undefined },
): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': since } = request.headers
  if (noneMatch !== undefined) {
    const tags = noneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return tags.includes('*') || tags.includes(current.etag.replace(/^W\//, ''))
  }
  const { modifiedAt } = current
  if (since === undefined || modifiedAt === undefined) return false
  return wholeSeconds(modifiedAt) <= wholeSeconds(new Date(since))
}

export function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
