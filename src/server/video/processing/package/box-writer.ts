/** Avoids copies of nested bodies. */
export type Pieces = Buffer[]

export type Words = {
  readonly count: number
  push: (value: number) => void
  get: (position: number) => number
  set: (position: number, value: number) => void
  pieces: () => Pieces
}

const blockWords = 4096

export function growingWords(): Words {
  const blocks: Buffer[] = []
  let count = 0
  const blockOf = (position: number) => {
    const block = blocks[Math.floor(position / blockWords)]
    if (!block) throw new RangeError('There is no such word.')
    return block
  }
  const set = (position: number, value: number) =>
    void blockOf(position).writeInt32BE(value | 0, (position % blockWords) * 4)
  return {
    get count() {
      return count
    },
    push(value) {
      if (count === blocks.length * blockWords) blocks.push(Buffer.alloc(blockWords * 4))
      set(count, value)
      count += 1
    },
    get: (position) => blockOf(position).readInt32BE((position % blockWords) * 4),
    set,
    pieces: () => blocks.map((block, index) => block.subarray(0, (count - index * blockWords) * 4)),
  }
}

export function words(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

export function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

export function box(type: string, ...contents: (Buffer | Pieces)[]): Pieces {
  const pieces = contents.flat()
  const head = words([sizeOf(pieces) + 8, 0])
  head.write(type, 4, 'latin1')
  return [head, ...pieces]
}

/**
 * Version 1 has room for long durations.
 * @param body of version 0
 */
export function headerBox(
  type: string,
  body: Buffer,
  { fields, duration }: { fields: number; duration: number },
): Pieces {
  const flags = body.readUInt32BE(0) & 0xff_ffff
  const timesEnd = 12
  const fieldsEnd = timesEnd + fields * 4
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(Math.max(0, duration)))
  return box(
    type,
    words([0x0100_0000 + flags, 0, 0, 0, 0]),
    body.subarray(timesEnd, fieldsEnd),
    length,
    body.subarray(fieldsEnd + 4),
  )
}
