import type { PushSubscriptionKeys } from '#shared/schemas/push.schemas.ts'

/** The keys are an uncompressed point of P-256 and a secret (RFC 8291). */
const POINT_BYTES = 65
const UNCOMPRESSED = 4
const SECRET_BYTES = 16

/** Whether a message can be encrypted for the browser. */
export async function canEncryptFor({
  p256dh,
  auth,
}: PushSubscriptionKeys['keys']): Promise<boolean> {
  const [point, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')]
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) return false
  if (secret.length !== SECRET_BYTES) return false
  const { encrypt } = (await import('web-push')).default
  try {
    encrypt(p256dh, auth, 'Trial', 'aes128gcm')
    return true
  } catch {
    // The point is not on the curve.
    return false
  }
}
