import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  Assertion,
  Attestation,
  CreationOptions,
  RequestOptions,
} from '#shared/schemas/second-factor.schemas.ts'

type Place = { origin: string; rpId: string }
/** Values that a test puts in place of the right ones. */
type Wish = Partial<Place> & { counter?: number; isVerified?: boolean; challenge?: string }

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_CREDENTIAL = 0x40

/** A passkey in software: ES256, no attestation, a counter that grows with each use. */
export function makeAuthenticator(
  place: Place = { origin: 'http://localhost', rpId: 'localhost' },
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let userHandle = ''
  let used = 0

  const authenticatorData = (wish: Wish, more: { flags: number; rest: Buffer }) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(wish.counter ?? used)
    const verified = (wish.isVerified ?? true) ? VERIFIED : 0
    const flags = Buffer.of(PRESENT | verified | more.flags)
    return Buffer.concat([sha256(wish.rpId ?? place.rpId), flags, counter, more.rest])
  }
  const clientData = (type: string, challenge: string, wish: Wish) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: wish.challenge ?? challenge,
        origin: wish.origin ?? place.origin,
        crossOrigin: false,
      }),
    )
  const credential = {
    id: encode(id),
    rawId: encode(id),
    type: 'public-key' as const,
  }

  return {
    credentialId: encode(id),

    register({ challenge, user }: CreationOptions, wish: Wish = {}): Attestation {
      userHandle = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const rest = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authenticatorData(wish, { flags: WITH_CREDENTIAL, rest })
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        ...[cborText('fmt'), cborText('none')],
        ...[cborText('attStmt'), Buffer.of(0xa0)],
        ...[cborText('authData'), cborBytes(data)],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: encode(clientData('webauthn.create', challenge, wish)),
          attestationObject: encode(attestation),
          transports: ['internal'],
        },
      }
    },

    answer({ challenge }: Pick<RequestOptions, 'challenge'>, wish: Wish = {}): Assertion {
      used++
      const client = clientData('webauthn.get', challenge, wish)
      const data = authenticatorData(wish, { flags: 0, rest: Buffer.alloc(0) })
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle,
        },
      }
    },
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

const cborText = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])

/** Encodes 24 to 255 bytes. */
const cborBytes = (bytes: Buffer) => Buffer.concat([Buffer.of(0x58, bytes.length), bytes])

/** EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = (value: string) => cborBytes(Buffer.from(value, 'base64url'))
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01),
    ...[Buffer.of(0x21), point(x), Buffer.of(0x22), point(y)],
  ])
}
