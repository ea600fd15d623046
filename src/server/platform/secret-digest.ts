import { hash } from 'node:crypto'

/** SHA-256 in hexadecimal. For random secrets only, which need no slow hash. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'hex')
