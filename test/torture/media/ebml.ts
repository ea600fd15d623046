/** An element of EBML, which Matroska is made of. @param id its identifier in hexadecimal */
export function element(id: string, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((one) => Buffer.from(one as string)))
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(0x0100_0000_0000_0000n | BigInt(body.length))
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** The same, but says that it is as long as you like. */
export function elementOfSize(id: string, size: bigint, content: Buffer): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(0x0100_0000_0000_0000n | size)
  return Buffer.concat([Buffer.from(id, 'hex'), length, content])
}

export function unsigned(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return element(id, bytes)
}

export function float(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(id, bytes)
}

export const matroska = (...segment: Buffer[]) =>
  Buffer.concat([element('1a45dfa3', element('4282', 'matroska')), element('18538067', ...segment)])

export const videoTrack = (...more: Buffer[]) =>
  element(
    'ae',
    unsigned('d7', 1),
    unsigned('73c5', 1),
    unsigned('83', 1),
    element('86', 'V_MPEG4/ISO/AVC'),
    ...more,
  )

/** An element in an element in an element. */
export function nest(id: string, depth: number): Buffer {
  let inner = Buffer.alloc(0)
  for (let level = 0; level < depth; level++) inner = Buffer.from(element(id, inner))
  return inner
}
