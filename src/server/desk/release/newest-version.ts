import { z } from 'zod'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'

const URL_MAX = 500

export type NewestVersion = { version: string; url: string | null }

const versionSchema = z
  .string()
  .regex(/^v?\d{1,6}\.\d{1,6}\.\d{1,6}$/)
  .transform((version) => version.replace('v', ''))
/** Drops unsafe addresses. */
const urlSchema = z
  .url({ protocol: /^https$/ })
  .max(URL_MAX)
  .nullable()
  .catch(null)

const answerSchema = z.union([
  z.object({ version: versionSchema, url: urlSchema }),
  // GitHub and Forgejo.
  z
    .object({ tag_name: versionSchema, html_url: urlSchema })
    .transform((release) => ({ version: release.tag_name, url: release.html_url })),
])

/**
 * Asks the address that an admin gave, without telling anything about this site.
 * @returns undefined without a usable answer
 */
export async function fetchNewestVersion(
  outgoing: Outgoing,
  { address, signal }: { address: string; signal: AbortSignal },
): Promise<NewestVersion | undefined> {
  try {
    const { status, body } = await outgoing({
      url: address,
      headers: { accept: 'application/json' },
      signal,
    })
    return status === 200 ? answerSchema.parse(JSON.parse(body.toString('utf8'))) : undefined
  } catch {
    return undefined
  }
}
