import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { readSmallForm } from '#server/http/small-form.ts'

const FILE = Buffer.from('bytes with\r\n--a boundary-like line\r\nand \0 in them')
const OPTIONS = { fileField: 'chunk', maxFileBytes: 1000 }

const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const field = (name: string, value: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, value)
const file = part(
  'content-type: application/octet-stream\r\ncontent-disposition: form-data; name="chunk"; filename="blob"',
  FILE,
)
const END = Buffer.from('--b--\r\n')

/** Reads a form that arrives in pieces of so many bytes. */
function read(body: Buffer[], { pieceBytes = 7, type = 'multipart/form-data; boundary=b' } = {}) {
  const bytes = Buffer.concat(body)
  const count = Math.ceil(bytes.length / pieceBytes)
  const pieces = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  const request = {
    headers: { 'content-type': type },
    raw: Readable.from(pieces),
    isMultipart: () => type.startsWith('multipart/'),
  }
  return readSmallForm(request as unknown as FastifyRequest, OPTIONS)
}

describe('a form with one small file', () => {
  test.each([
    ['fields first', [field('a', 'one'), field('b', ''), file, END]],
    ['file first', [file, field('a', 'one'), field('b', ''), END]],
    [
      'text before and after',
      [Buffer.from('hello\r\n'), field('a', 'one'), field('b', ''), file, END, file],
    ],
  ])('is read with its %s', async (_, body) => {
    const form = await read(body)
    expect(form.fields).toEqual({ a: 'one', b: '' })
    expect(form.file?.equals(FILE)).toBe(true)
    form.release()
  })

  test('may have its boundary in quotes, and other parameters', async () => {
    const form = await read([file, END], {
      type: 'multipart/form-data; charset=utf-8; boundary="b"',
    })
    expect(form.file?.equals(FILE)).toBe(true)
    form.release()
  })

  test('has its fields by their names, whatever these are', async () => {
    const form = await read([field('__proto__', 'x'), field('größe', '5'), END])
    expect(Object.entries(form.fields)).toEqual([
      ['__proto__', 'x'],
      ['größe', '5'],
    ])
    expect(form.file).toBeUndefined()
    form.release()
  })

  test.each([
    ['the end', [field('a', 'one'), file]],
    ['a blank line', [Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n'), END]],
    ['any boundary', [Buffer.from('nothing of the kind')]],
    ['anything', []],
  ])('is a 400 without %s', async (_, body) => {
    await expect(read(body)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test.each([
    [
      'a file over the limit',
      [part('content-disposition: form-data; name="chunk"', 'x'.repeat(1001)), END],
    ],
    [
      'a body far over it',
      [part('content-disposition: form-data; name="a"', 'x'.repeat(40_000)), END],
    ],
    ['two files', [file, file, END]],
    ['many fields', [...Array.from({ length: 30 }, () => field('a', 'x')), END]],
  ])('is a 413 with %s', async (_, body) => {
    await expect(read(body, { pieceBytes: 1000 })).rejects.toMatchObject({ kind: 'too-large' })
  })

  test('is a 400 when the connection breaks', async () => {
    const raw = new Readable({ read() {} })
    raw.push(field('a', 'one'))
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const request = { headers, raw, isMultipart: () => true } as unknown as FastifyRequest
    const reading = readSmallForm(request, OPTIONS)
    raw.destroy()
    await expect(reading).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('leaves nothing of what arrived to the garbage collector', async () => {
    const pieces = [field('a', 'one'), file, END].map((bytes) => {
      const piece = Buffer.from(new ArrayBuffer(bytes.length))
      bytes.copy(piece)
      return piece
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const request = { headers, raw: Readable.from(pieces), isMultipart: () => true }
    const form = await readSmallForm(request as unknown as FastifyRequest, OPTIONS)
    expect(form.file?.equals(FILE)).toBe(true)
    expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0])
    form.release()
  })

  test('is a 415 when it is none', async () => {
    await expect(read([file, END], { type: 'text/plain' })).rejects.toMatchObject({
      kind: 'unsupported',
    })
  })
})
