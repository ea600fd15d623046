import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_BYTES = 128 * 1024

/** See docs/decisions/0041-object-storage.md. */
export function createPutProof() {
  const digests = new WeakMap<Blob, string>()
  const unproven = new WeakSet<Blob>()

  async function digestOf(body: Blob): Promise<string> {
    const digest = digests.get(body) ?? (await md5Of(body.stream()))
    digests.set(body, digest)
    return digest
  }

  return {
    /** PUTs get `Content-MD5`, and their `ETag` is checked. */
    through(send: typeof fetch): typeof fetch {
      return async (input, init = {}) => {
        const { method, body } = init
        if (method !== 'PUT' || !(body instanceof Blob)) return send(input, init)
        const digest = await digestOf(body)
        const contentMd5 = Buffer.from(digest, 'hex').toString('base64')
        const headers = { ...(init.headers as Record<string, string>), 'content-md5': contentMd5 }
        const answer = await send(input, { ...init, headers })
        if (isProof(answer, digest)) unproven.delete(body)
        else unproven.add(body)
        return answer
      }
    },

    /** For the last PUT of `body`. */
    isProven: (body: Blob) => !unproven.has(body),
  }
}

/** `ETag` is the MD5, except with KMS, where AWS only checks `Content-MD5`. */
function isProof({ headers }: Response, digest: string): boolean {
  const encryption = headers.get('x-amz-server-side-encryption') ?? ''
  if (encryption.startsWith('aws:kms')) return true
  return headers.get('etag')?.replaceAll('"', '').toLowerCase() === digest
}

/** Hexadecimal. Yields after some 0.2 ms. */
export async function md5Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('md5')
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      // Bytes in memory come as one piece.
      if (at > 0) await nextTurn()
      hash.update(piece.subarray(at, at + SLICE_BYTES))
    }
  }
  return hash.digest('hex')
}
