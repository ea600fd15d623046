import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

const WASM_PAGE_BYTES = 64 * 1024
/** So many chunks are written at a time out of such memory; each holds 2 MiB and reserves 8 GiB of addresses. */
const BUFFERS_MAX = 4

const free: Buffer[] = []
let made = 0

/**
 * Lends memory for a chunk that begins where a page of it does, as a disk needs it to fetch the bytes by itself.
 * @returns undefined when all of it is lent, or the system has no addresses left for it
 */
export function lendPages(): Buffer | undefined {
  const buffer = free.pop()
  if (buffer || made === BUFFERS_MAX) return buffer
  const pages = allocatePages()
  made = pages ? made + 1 : BUFFERS_MAX
  return pages
}

/** To be called once nobody reads or writes it any more. */
export function giveBackPages(buffer: Buffer): void {
  free.push(buffer)
}

/** The engine begins WebAssembly's memory, and no other, at a page. What failed once is not tried again: it takes long. */
function allocatePages(): Buffer | undefined {
  const count = UPLOAD_CHUNK_BYTES / WASM_PAGE_BYTES
  try {
    return Buffer.from(new WebAssembly.Memory({ initial: count, maximum: count }).buffer)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
