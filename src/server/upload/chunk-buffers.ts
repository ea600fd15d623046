import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { FORM_BYTES_MAX } from '../http/multipart-form.ts'

/** The unit of memory that every system and disk of today is content with; bytes. */
const PAGE_BYTES = 4096
const WASM_PAGE_BYTES = 64 * 1024
/** New memory of 2 MiB costs as much as filling it, so that these stay; more at once are plain memory and go again. */
const KEPT_MAX = 4

const kept: Buffer[] = []
const made = new WeakSet<Buffer>()
let madeCount = 0

/** Room for a chunk with the form around it; what is in it is undefined. To be given back once nobody reads it. */
export function lendChunkBuffer(): Buffer {
  const buffer = kept.pop()
  if (buffer) return buffer
  const bytes = UPLOAD_CHUNK_BYTES + FORM_BYTES_MAX
  if (madeCount === KEPT_MAX) return Buffer.allocUnsafeSlow(bytes)
  const pages = allocatePages(bytes)
  made.add(pages)
  madeCount += 1
  return pages
}

export function giveBackChunkBuffer(buffer: Buffer): void {
  if (made.has(buffer)) kept.push(buffer)
}

/** Whether a disk can fetch the bytes by itself: they are whole pages of a buffer lent here. */
export function areWholePages(bytes: Buffer): boolean {
  return bytes.length % PAGE_BYTES === 0 && bytes.byteOffset % PAGE_BYTES === 0
}

/** Memory that begins where a page does, which is promised of WebAssembly's only. */
function allocatePages(bytes: number): Buffer {
  const count = Math.ceil(bytes / WASM_PAGE_BYTES)
  return Buffer.from(new WebAssembly.Memory({ initial: count, maximum: count }).buffer, 0, bytes)
}
