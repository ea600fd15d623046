import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { PushMessage } from '#shared/push.ts'
import { type Received, startWebhookReceiver } from './webhook-receiver.ts'

const CURVE = 'prime256v1'
const [SALT_BYTES, SIZE_BYTES] = [16, 4]
const TAG_BYTES = 16
/** The last record ends with it, before the padding (RFC 8188). */
const END = 2

export type TestBrowser = ReturnType<typeof makeBrowser>
export type PushService = Awaited<ReturnType<typeof startPushService>>

/** A browser's keys, and the subscription that it gives to a site. */
function makeBrowser(origin: string) {
  const ecdh = createECDH(CURVE)
  const p256dh = ecdh.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  return {
    path,
    subscription: {
      endpoint: `${origin}${path}`,
      keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
    },
    /** RFC 8291: the key from the agreement and the secret, then the one record of RFC 8188. */
    decrypt(body: Buffer): PushMessage {
      const salt = body.subarray(0, SALT_BYTES)
      const start = SALT_BYTES + SIZE_BYTES
      const sender = body.subarray(start + 1, start + 1 + (body[start] ?? 0))
      const record = body.subarray(start + 1 + sender.length)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
      const derive = (from: ArrayBuffer | Buffer, by: Buffer, what: Buffer, bytes: number) =>
        Buffer.from(hkdfSync('sha256', new Uint8Array(from), by, what, bytes))
      const input = derive(ecdh.computeSecret(sender), auth, info, 32)
      const of = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`)
      const key = derive(input, salt, of('aes128gcm'), 16)
      const decipher = createDecipheriv('aes-128-gcm', key, derive(input, salt, of('nonce'), 12))
      decipher.setAuthTag(record.subarray(-TAG_BYTES))
      const plain = Buffer.concat([
        decipher.update(record.subarray(0, -TAG_BYTES)),
        decipher.final(),
      ])
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(END)).toString())
    },
  }
}

/** A push service on this machine (RFC 8030). It answers 201 unless told otherwise. */
export async function startPushService() {
  const receiver = await startWebhookReceiver()
  const origin = `http://127.0.0.1:${receiver.port}`
  const answerWith = (status: number) =>
    receiver.answerWith((response) => void response.writeHead(status).end())
  answerWith(201)
  return {
    ...receiver,
    origin,
    answerWith,
    makeBrowser: () => makeBrowser(origin),
    clear(): void {
      receiver.received.length = 0
      answerWith(201)
    },
    /** Returns the decrypted messages to a browser. */
    messagesOf: ({ path, decrypt }: TestBrowser): PushMessage[] =>
      receiver.received.filter((one) => one.path === path).map(({ body }) => decrypt(body)),
  }
}

export function setUpPushService(): PushService {
  const service = {} as PushService
  beforeAll(async () => {
    Object.assign(service, await startPushService())
  })
  afterAll(() => service.stop())
  return service
}

/**
 * Checks the signature of RFC 8292.
 * @returns the signed claims and the key of the site
 */
export function readVapid({ headers }: Received): {
  claims: { aud: string; exp: number; sub: string }
  publicKey: string
} {
  const [, token = '', publicKey = ''] =
    /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(`${headers.authorization}`) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  )
  const key = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` },
    format: 'jwk',
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('The message is not signed with its key.')
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), publicKey }
}
