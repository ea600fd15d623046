import fc, { type Arbitrary } from 'fast-check'
import { makePng } from '#test/support/png.ts'
import { cutOff, type Unsent } from './fuzz-request.ts'
import { type Operation, targetOf } from './rest-request.ts'
import { fromSchema, hostileText, type Making, sometimes } from './schema-arbitrary.ts'
import { toText } from './value-text.ts'

const BOUNDARY = 'fuzz-boundary'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"`
const END = `--${BOUNDARY}--\r\n`
const PICTURE = makePng(16, 9)
const RIGHT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const WRONG_TYPES: readonly string[] = [
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
]
const WRONG_FORMS: readonly string[] = [
  `${`${HEAD}\r\n\r\nx\r\n`.repeat(200)}${END}`,
  `${`${HEAD}; filename="f"\r\n\r\nx\r\n`.repeat(30)}${END}`,
  `${HEAD}\r\nX: ${'y'.repeat(20_000)}\r\n\r\nx\r\n${END}`,
  `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n${END}`,
  END,
  '',
]

type Part = { name: string; fileName?: string; bytes: Buffer }

/** A form with a file in it, whole or broken somewhere. */
export function formRequest(operation: Operation, making: Making): Arbitrary<Unsent> {
  const { wrong } = making
  const { method, path, form } = operation
  const parts = Object.entries(form?.properties ?? {}).map(([name, schema]): Arbitrary<Part[]> => {
    const part = schema.contentMediaType
      ? file.map((bytes) => ({ name, fileName: 'blob', bytes }))
      : fromSchema(schema, name, making).map((one) => ({ name, bytes: Buffer.from(toText(one)) }))
    return sometimes(
      wrong / 3,
      fc.constant<Part[]>([]),
      part.map((one) => [one]),
    )
  })
  const strange = sometimes(
    wrong / 2,
    strangePart.map((one) => [one]),
    fc.constant<Part[]>([]),
  )
  const whole = fc.tuple(...parts, strange).map((all) => writeForm(all.flat()))
  return fc.record({
    label: fc.constant(`${method} ${path}`),
    method: fc.constant(method),
    target: targetOf(operation, making),
    headers: sometimes(wrong / 2, fc.constantFrom(...WRONG_TYPES), fc.constant(RIGHT_TYPE)).map(
      (type) => [['content-type', type]],
    ),
    body: sometimes(wrong, broken(whole), whole),
  })
}

const file = fc.oneof(
  { arbitrary: fc.constant(PICTURE), weight: 2 },
  fc.nat().map((at) => cutOff(PICTURE, at)),
  flipped(fc.constant(PICTURE)),
  fc
    .constantFrom('WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n', '12345', '')
    .map((one) => Buffer.from(one)),
  hostileText.map((one) => Buffer.from(one)),
  fc.uint8Array({ maxLength: 300 }).map((one) => Buffer.from(one)),
)

const strangePart = fc.oneof(
  fc.constantFrom<Part[]>(
    { name: '__proto__', bytes: Buffer.from('x') },
    { name: 'uploadId', bytes: Buffer.from('0'.repeat(32)) },
    { name: 'x'.repeat(5000), bytes: Buffer.from('x') },
    { name: 'extra', fileName: '../../../x', bytes: Buffer.from('x') },
    { name: 'extra', fileName: '\0', bytes: PICTURE },
  ),
  hostileText.map((one): Part => ({ name: '', bytes: Buffer.from(one) })),
)

function writeForm(parts: Part[]): Buffer {
  const written = parts.map(({ name, fileName, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')])
  })
  return Buffer.concat([...written, Buffer.from(END)])
}

function broken(form: Arbitrary<Buffer>): Arbitrary<Buffer> {
  return fc.oneof(
    fc.tuple(form, fc.nat()).map(([whole, at]) => cutOff(whole, at)),
    flipped(form),
    form.map((whole) => Buffer.concat([whole, whole])),
    form.map((whole) => Buffer.from(whole.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
    fc.constantFrom(...WRONG_FORMS).map((one) => Buffer.from(one)),
  )
}

/** A few bits turned over; a PNG's checksums are not made to fit again. */
function flipped(bytes: Arbitrary<Buffer>): Arbitrary<Buffer> {
  const flips = fc.array(fc.nat(), { minLength: 1, maxLength: 4 })
  return fc.tuple(bytes, flips).map(([whole, bits]) => {
    const copy = Buffer.from(whole)
    for (const bit of bits) {
      const at = (bit >> 3) % copy.length
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << (bit & 7)), at)
    }
    return copy
  })
}
