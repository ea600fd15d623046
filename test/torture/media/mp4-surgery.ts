/** Where a box is: its size, type and content begin at `start`. */
type Box = { start: number; end: number; type: string }

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf', 'stbl', 'edts', 'udta', 'mvex'])

export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** The boxes of an MP4 in their order, outer before inner. */
export function listBoxes(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const found: Box[] = []
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (size < 8) break
    found.push({ start: at, end: at + size, type })
    if (CONTAINERS.has(type)) found.push(...listBoxes(bytes, at + 8, at + size))
    at += size
  }
  return found
}

/** Changes bytes of the first box of a type in place, or leaves the file as it is when it has none. */
export function patchBox(bytes: Buffer, type: string, patch: (content: Buffer) => void): Buffer {
  const changed = Buffer.from(bytes)
  const found = listBoxes(changed).find((one) => one.type === type)
  if (found) patch(changed.subarray(found.start + 8, found.end))
  return changed
}

/** Puts another box in the place of the first of a type, and mends the sizes of those around it. */
export function replaceBox(bytes: Buffer, type: string, replacement: Buffer): Buffer {
  const boxes = listBoxes(bytes)
  const old = boxes.find((one) => one.type === type)
  if (!old) return bytes
  const changed = Buffer.concat([
    bytes.subarray(0, old.start),
    replacement,
    bytes.subarray(old.end),
  ])
  const growth = replacement.length - (old.end - old.start)
  for (const outer of boxes) {
    const isAround = outer !== old && outer.start < old.start && outer.end >= old.end
    if (isAround) changed.writeUInt32BE(outer.end - outer.start + growth, outer.start)
  }
  return changed
}

/** The bytes of the first box of a type. */
export function copyBox(bytes: Buffer, type: string): Buffer {
  const found = listBoxes(bytes).find((one) => one.type === type)
  return found ? bytes.subarray(found.start, found.end) : Buffer.alloc(0)
}
