import { z } from 'zod'

const ANSWER_MS = 10_000
const ANSWER_BYTES = 64 * 1024
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
 * One request without redirects or data of this site; at most 10 s and 64 KiB.
 * @returns undefined without a usable answer
 */
export async function fetchNewestVersion(
  address: string,
  signal: AbortSignal,
): Promise<NewestVersion | undefined> {
  try {
    const response = await fetch(address, {
      redirect: 'error',
      headers: { accept: 'application/json', 'user-agent': 'Clutch' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    })
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      return undefined
    }
    return answerSchema.parse(JSON.parse(await readBounded(response.body)))
  } catch {
    return undefined
  }
}

async function readBounded(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES) throw new Error('The answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
