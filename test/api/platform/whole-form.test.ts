import fastifyMultipart from '@fastify/multipart'
import fc from 'fast-check'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import {
  formBytesMax,
  readMultipartForm,
  readWholeForm,
} from '#server/platform/http/multipart-form.ts'
import { sendError } from '#server/platform/http/plain-text-error.ts'

const MAX = 4096
const FILE = { fileField: 'chunk', maxFileBytes: MAX }
const WRONG = 'The form is not well-formed, or was cut off.'

const app = Fastify({ bodyLimit: 1024 * 1024 })
app.setErrorHandler(sendError)
app.removeContentTypeParser('application/json')
await app.register(fastifyMultipart)
const answerOf = async (form: ReturnType<typeof readMultipartForm>) => {
  const { fields, file } = await form
  const { uploadId, chunkIndex } = fields
  return { fields: { uploadId, chunkIndex }, file: file?.toString('latin1') ?? null }
}
const readers = {
  streamed: (request: FastifyRequest) => readMultipartForm(request, FILE),
  whole: (request: FastifyRequest) =>
    readWholeForm(request, { ...FILE, buffer: Buffer.alloc(formBytesMax(MAX)) }),
}
for (const [name, read] of Object.entries(readers)) {
  app.post(`/${name}`, (request) => answerOf(read(request)))
}
afterAll(() => app.close())

type Answer = { status: number; body: unknown }

async function read(
  reader: keyof typeof readers,
  body: Buffer | string,
  type = 'multipart/form-data; boundary=b',
): Promise<Answer> {
  const payload = Buffer.from(body)
  const headers = { 'content-type': type }
  const answer = await app.inject({ method: 'POST', url: `/${reader}`, payload, headers })
  const isText = answer.headers['content-type']?.toString().startsWith('text/plain')
  return { status: answer.statusCode, body: isText ? answer.body : answer.json() }
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (bytes: string, head = 'name="chunk"; filename="blob"') =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\nContent-Type: application/octet-stream\r\n\r\n${bytes}\r\n`
const END = '--b--\r\n'
const PLAIN = `${field('uploadId', 'abc')}${field('chunkIndex', '0')}${file('bytes')}${END}`
const EXPECTED = { fields: { uploadId: 'abc', chunkIndex: '0' }, file: 'bytes' }

test.each<[string, string, object?]>([
  ['as browsers write it', PLAIN],
  ['without the last line end', PLAIN.slice(0, -2)],
  ['with words before and after', `before\r\n${PLAIN}after`],
  ['with the file first', `${file('bytes')}${PLAIN.slice(0, PLAIN.indexOf(file('bytes')))}${END}`],
  ['with names in other cases', PLAIN.replaceAll('Content-Disposition', 'CONTENT-disposition')],
  ['with names without quotes', PLAIN.replaceAll(/name="(\w+)"/g, 'name=$1')],
  [
    'with more lines in its heads',
    PLAIN.replaceAll('--b\r\nC', '--b\r\nX-More: 1\r\nContent-Length: 5\r\nC'),
  ],
  ['with the kind before the disposition', PLAIN.replaceAll(/(C.*; .*)\r\n(C.*)/g, '$2\r\n$1')],
  ['with a folded head', PLAIN.replaceAll('form-data; ', 'form-data;\r\n ')],
  ['with a file without a name', PLAIN.replace('; filename="blob"', '')],
  ['with an extended file name', PLAIN.replace('filename=', "filename*=utf-8''x; x=")],
  ['with a file name that has quotes', PLAIN.replace('"blob"', String.raw`"a\"; name=\"b"`)],
  [
    'with its boundary in the file, nearly',
    PLAIN.replace('bytes', '\r\n-b\r\n--'),
    { file: '\r\n-b\r\n--' },
  ],
  ['with a field twice', `${field('uploadId', 'x')}${PLAIN}`],
  [
    'with a field of two lines',
    PLAIN.replace('abc', 'a\r\nb'),
    { fields: { ...EXPECTED.fields, uploadId: 'a\r\nb' } },
  ],
  [
    'with letters of other languages',
    PLAIN.replace('abc', 'äß€'),
    { fields: { ...EXPECTED.fields, uploadId: 'äß€' } },
  ],
  ['with a part that has no name', `--b\r\nX: y\r\n\r\nz\r\n${PLAIN}`],
])('a form %s is read', async (_, form, other = {}) => {
  const answer = { status: 200, body: { ...EXPECTED, ...other } }
  expect(await read('whole', form)).toEqual(answer)
  expect(await read('streamed', form)).toEqual(answer)
})

test.each<[string, string, Answer]>([
  [
    'with the other file only',
    file('x', 'name="a"; filename="f"') + END,
    { status: 200, body: { fields: {}, file: null } },
  ],
  ['of no bytes', '', { status: 200, body: { fields: {}, file: null } }],
  ['without an end', PLAIN.slice(0, -6), { status: 400, body: WRONG }],
  ['that is none', 'nothing', { status: 400, body: WRONG }],
  ['with two files', file('x') + PLAIN, { status: 413, body: 'The request is too large.' }],
  [
    'with 21 fields',
    field('a', '').repeat(20) + PLAIN,
    { status: 413, body: 'The request is too large.' },
  ],
  [
    'with 22 parts that are none',
    '--b\r\n\r\n\r\n'.repeat(22) + PLAIN,
    { status: 413, body: 'The request is too large.' },
  ],
  [
    'with a file too large',
    file('x'.repeat(MAX + 1)) + END,
    { status: 413, body: 'The request is too large.' },
  ],
])('a form %s is answered alike', async (_, form, answer) => {
  expect(await read('whole', form)).toEqual(answer)
  expect(await read('streamed', form)).toEqual(answer)
})

test.each([
  'multipart/form-data; boundary="b"',
  'multipart/form-data; charset=utf-8; boundary=b',
  'Multipart/Form-Data; Boundary=b; x=y',
])('the boundary is found in %s', async (type) => {
  expect(await read('whole', PLAIN, type)).toEqual({ status: 200, body: EXPECTED })
  expect(await read('streamed', PLAIN, type)).toEqual({ status: 200, body: EXPECTED })
})

test('a body that is larger than any form is a 413, of whatever length it says to be', async () => {
  const body = file('x'.repeat(2 * formBytesMax(MAX))) + END
  expect(await read('whole', body)).toMatchObject({ status: 413 })
})

test('a head of more than 8 KiB is not looked at', async () => {
  const form = PLAIN.replace('--b\r\nC', `--b\r\nX: ${'y'.repeat(8192)}\r\nC`)
  const answer = { status: 200, body: { fields: { chunkIndex: '0' }, file: 'bytes' } }
  expect(await read('whole', form)).toEqual(answer)
})

test('a damaged form is answered as the form parser answers it', async () => {
  const whole = Buffer.from(PLAIN)
  const damaged = fc
    .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(6))
    .map(([at, byte, cut]) => {
      const copy = Buffer.from(whole)
      copy[at] = byte
      return cut === 0 ? copy.subarray(0, at) : copy
    })
  await fc.assert(
    fc.asyncProperty(damaged, async (body) => {
      expect(await read('whole', body)).toEqual(await read('streamed', body))
    }),
    { numRuns: 500, seed: 1 },
  )
})
