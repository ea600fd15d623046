import { makePng } from '#test/support/png.ts'
import type { Random } from '#tools/seed/random.ts'
import { type Making, makeHostile, makeValue } from './from-schema.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { makeTarget, type Operation } from './rest-request.ts'
import { toText } from './value.ts'

const BOUNDARY = 'fuzz-boundary'
const PICTURE = makePng(16, 9)

type Part = { name: string; fileName?: string; bytes: Buffer }

/** A form with a file in it, whole or broken somewhere. */
export function makeFormRequest(operation: Operation, making: Making): Omit<FuzzRequest, 'as'> {
  const { random, wrong } = making
  const { method, path, form } = operation
  const parts = Object.entries(form?.properties ?? {})
    .filter(() => !random.chance(wrong / 3))
    .map(([name, schema]): Part => {
      if (schema.contentMediaType) return { name, fileName: 'blob', bytes: makeFile(making) }
      return { name, bytes: Buffer.from(toText(makeValue(schema, name, making))) }
    })
  if (random.chance(wrong / 2)) parts.push(makeStrangePart(making))
  const whole = writeForm(parts)
  return {
    label: `${method} ${path}`,
    method,
    target: makeTarget(operation, making),
    headers: [['content-type', makeType(making)]],
    body: random.chance(wrong) ? breakForm(whole, random) : whole,
  }
}

function makeFile(making: Making): Buffer {
  const { random } = making
  return random.pick([
    PICTURE,
    PICTURE,
    PICTURE.subarray(0, random.whole(1, PICTURE.length)),
    flipBits(PICTURE, random),
    Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n'),
    Buffer.from('12345'),
    Buffer.alloc(0),
    Buffer.from(toText(makeHostile(making))),
    Buffer.from(random.hex(300), 'hex'),
  ])
}

function makeStrangePart(making: Making): Part {
  const { random } = making
  return random.pick([
    { name: '__proto__', bytes: Buffer.from('x') },
    { name: 'uploadId', bytes: Buffer.from('0'.repeat(32)) },
    { name: 'x'.repeat(5000), bytes: Buffer.from('x') },
    { name: 'extra', fileName: '../../../x', bytes: Buffer.from('x') },
    { name: 'extra', fileName: '\0', bytes: PICTURE },
    { name: '', bytes: Buffer.from(toText(makeHostile(making))) },
  ])
}

function makeType({ random, wrong }: Making): string {
  if (!random.chance(wrong / 2)) return `multipart/form-data; boundary=${BOUNDARY}`
  return random.pick([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary="${BOUNDARY}`,
    `multipart/form-data; boundary=${'b'.repeat(500)}`,
    `multipart/mixed; boundary=${BOUNDARY}`,
    `MULTIPART/FORM-DATA; boundary=${BOUNDARY}; boundary=x`,
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
  ])
}

function writeForm(parts: Part[]): Buffer {
  const written = parts.map(({ name, fileName, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')])
  })
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

function breakForm(form: Buffer, random: Random): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"`
  return random.pick([
    form.subarray(0, random.whole(0, form.length)),
    flipBits(form, random),
    Buffer.concat([form, form]),
    Buffer.from(form.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    Buffer.from(`${`${head}\r\n\r\nx\r\n`.repeat(200)}--${BOUNDARY}--\r\n`),
    Buffer.from(`${`${head}; filename="f"\r\n\r\nx\r\n`.repeat(30)}--${BOUNDARY}--\r\n`),
    Buffer.from(`${head}\r\nX: ${'y'.repeat(20_000)}\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`),
    Buffer.from(`--${BOUNDARY}--\r\n`),
    Buffer.alloc(0),
  ])
}

/** A few bits turned over, where chance says; a PNG's checksums are not made to fit again. */
function flipBits(bytes: Buffer, random: Random): Buffer {
  const flipped = Buffer.from(bytes)
  for (let flips = random.whole(1, 4); flips > 0; flips--) {
    const at = random.whole(0, flipped.length - 1)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << random.whole(0, 7)), at)
  }
  return flipped
}
