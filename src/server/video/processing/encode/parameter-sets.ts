/** Content of an `avcC` box (ISO/IEC 14496-15). */
export type ParameterSets = {
  head: Buffer
  lengthBytes: number
  sequences: Buffer[]
  pictures: Buffer[]
  rest: Buffer
}

const idrUnit = 5
const sequenceUnit = 7
const pictureUnit = 8
const maxSets = 31
const startCode = Buffer.from([0, 0, 1])

export function parseParameterSets(bytes: Buffer | null): ParameterSets | null {
  if (!bytes || bytes.length < 7 || bytes[0] !== 1) return null
  let at = 6
  const readSets = (count: number) => {
    const sets: Buffer[] = []
    for (let left = count; left > 0 && at + 2 <= bytes.length; left -= 1) {
      const end = at + 2 + bytes.readUInt16BE(at)
      if (end > bytes.length) return sets
      sets.push(bytes.subarray(at + 2, end))
      at = end
    }
    return sets
  }
  const sequences = readSets((bytes[5] ?? 0) & 31)
  at += 1
  const pictures = readSets(bytes[at - 1] ?? 0)
  if (sequences.length === 0 || pictures.length === 0) return null
  const lengthBytes = ((bytes[4] ?? 3) & 3) + 1
  return { head: bytes.subarray(0, 4), lengthBytes, sequences, pictures, rest: bytes.subarray(at) }
}

export function freeParameterId({ sequences, pictures }: ParameterSets): number | null {
  // The id follows profile, constraints and level.
  const used = new Set([
    ...sequences.map((set) => readExponential(set, 4 * 8)),
    ...pictures.map((set) => readExponential(set, 8)),
  ])
  for (let id = 0; id <= maxSets; id += 1) if (!used.has(id)) return id
  return null
}

/**
 * @param added in Annex B form
 * @returns null when they do not fit
 */
export function joinParameterSets(own: ParameterSets, added: Buffer): Buffer | null {
  const units = splitAnnexB(added)
  const sequences = [...own.sequences, ...units.filter((unit) => unitType(unit) === sequenceUnit)]
  const pictures = [...own.pictures, ...units.filter((unit) => unitType(unit) === pictureUnit)]
  const isWhole = sequences.length > own.sequences.length && pictures.length > own.pictures.length
  if (!isWhole || sequences.length > maxSets || pictures.length > 255) return null
  const head = Buffer.from(own.head)
  head[3] = Math.max(...sequences.map((set) => set[3] ?? 0))
  const counts = [0xfc | (own.lengthBytes - 1), 0xe0 | sequences.length]
  return Buffer.concat([
    head,
    Buffer.from(counts),
    ...sequences.flatMap(withLength),
    Buffer.from([pictures.length]),
    ...pictures.flatMap(withLength),
    own.rest,
  ])
}

export function fromAnnexB(data: Buffer): Buffer {
  return Buffer.concat(
    splitAnnexB(data).flatMap((unit) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(unit.length)
      return [length, unit]
    }),
  )
}

export function describePicture(
  data: Buffer,
  sets: ParameterSets,
): { isClean: boolean; hasOtherSets: boolean } {
  const known = [...sets.sequences, ...sets.pictures]
  let isClean = false
  let hasOtherSets = false
  for (let at = 0; at + sets.lengthBytes < data.length; ) {
    const start = at + sets.lengthBytes
    const end = start + data.readUIntBE(at, sets.lengthBytes)
    const unit = data.subarray(start, end)
    const type = unitType(unit)
    isClean ||= type === idrUnit
    const isSet = type === sequenceUnit || type === pictureUnit
    hasOtherSets ||= isSet && !known.some((set) => set.equals(unit))
    at = end
  }
  return { isClean, hasOtherSets }
}

function unitType(unit: Buffer): number {
  return (unit[0] ?? 0) & 31
}

function withLength(set: Buffer): Buffer[] {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(set.length)
  return [length, set]
}

function splitAnnexB(data: Buffer): Buffer[] {
  const units: Buffer[] = []
  for (let at = data.indexOf(startCode); at >= 0; ) {
    const start = at + startCode.length
    const next = data.indexOf(startCode, start)
    let end = next < 0 ? data.length : next
    // Trailing zeros belong to the next start code.
    while (end > start && data[end - 1] === 0) end -= 1
    units.push(data.subarray(start, end))
    at = next
  }
  return units
}

/** Exp-Golomb codes without escapes. */
function readExponential(bytes: Buffer, fromBit: number): number {
  const bit = (at: number) => ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
  let zeros = 0
  while (zeros < 16 && bit(fromBit + zeros) === 0) zeros += 1
  let value = 1
  for (let at = 1; at <= zeros; at += 1) value = (value << 1) | bit(fromBit + zeros + at)
  return value - 1
}
