import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { createPublicCache } from '../sharing/public-cache.ts'
import { chooseEncoding, compress, type Encoding } from './compression.ts'

const POLICY = 'content-security-policy'
const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs

/** A page as it goes over the wire. */
type PublicPage = { bytes: Buffer; encoding: Encoding | undefined }

/**
 * Pages that everybody is shown alike. Each is written, and made small, once for all who ask, until what it shows
 * changes.
 * @param template the built page, whose own inline scripts may run
 */
export function createPublicPages(db: Database, template: string) {
  const pages = createPublicCache<Buffer | null>(db)
  const hashes = [...template.matchAll(INLINE_SCRIPT)].map(([, text = '']) => hashOf(text))
  const scripts = ["script-src 'self'", ...hashes].join(' ')

  return {
    /** @param page.write the page; null when there is none, which is kept too */
    async read(
      { headers }: FastifyRequest,
      { key, write }: { key: string; write: () => Promise<string | null> },
    ): Promise<PublicPage | null> {
      const readWhole = () =>
        pages.read(key, async () => {
          const text = await write()
          return text === null ? null : Buffer.from(text)
        })
      const whole = await readWhole()
      if (!whole) return null
      const encoding = chooseEncoding(headers['accept-encoding'])
      const small =
        encoding &&
        (await pages.read(`${encoding} ${key}`, async () => {
          // Read again in here, so that it is dropped with what it was made from.
          const current = await readWhole()
          return (current && (await compress(current, encoding))) ?? null
        }))
      return small ? { bytes: small, encoding } : { bytes: whole, encoding: undefined }
    },

    send(reply: FastifyReply, { bytes, encoding }: PublicPage): FastifyReply {
      const policy = String(reply.raw.getHeader(POLICY)).replace("script-src 'self'", scripts)
      if (encoding) reply.header('content-encoding', encoding)
      return reply
        .type('text/html; charset=utf-8')
        .headers({ [POLICY]: policy, vary: 'accept-encoding' })
        .send(bytes)
    },
  }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
