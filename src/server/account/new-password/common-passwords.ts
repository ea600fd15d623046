import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A Bloom filter of 400,000 passwords, with about one false positive in 24,000 other passwords. Written by
 * `src/tools/common-passwords.ts`; see docs/decisions/0081-new-passwords.md.
 */
export const FILTER_FILE = join(import.meta.dirname, 'common-passwords.bin')
export const FILTER_BYTES = 1024 * 1024
const HASHES = 14

let filter: Promise<Buffer> | undefined

/** Ignores case. Reads the file at the first call. */
export async function isCommonPassword(password: string): Promise<boolean> {
  filter ??= readFile(FILTER_FILE)
  return hasEntry(await filter, foldPassword(password))
}

export const foldPassword = (password: string) => password.normalize('NFKC').toLowerCase()

export function addEntry(bits: Buffer, entry: string): void {
  for (const at of placesOf(entry)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
}

export function hasEntry(bits: Buffer, entry: string): boolean {
  return placesOf(entry).every((at) => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0)
}

/** Derives all positions from two hashes: https://doi.org/10.1002/rsa.20208 */
function placesOf(entry: string): number[] {
  const digest = createHash('sha256').update(entry).digest()
  const first = digest.readUIntBE(0, 6)
  const second = digest.readUIntBE(6, 6)
  return Array.from({ length: HASHES }, (_, i) => (first + i * second) % (FILTER_BYTES * 8))
}
