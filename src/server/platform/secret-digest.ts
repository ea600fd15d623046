import { hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in hexadecimal. For random secrets only, which need no slow hash. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'hex')

/** Compares secrets or their signatures in a time that does not depend on where they differ. */
export const isSameSecret = (presented: Uint8Array, right: Uint8Array): boolean =>
  presented.length === right.length && timingSafeEqual(presented, right)
