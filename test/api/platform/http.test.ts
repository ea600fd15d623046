import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { longTest } from '#test/support/long-form.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.remove())

/** Sends bytes as they are and answers all that comes back. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

const post = (path: string, body: string, type = 'application/json') =>
  fetch(server.origin + path, { method: 'POST', body, headers: { 'content-type': type } })

const expectSentence = async (answer: Response, status: number) => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await answer.text()).toMatch(/^[^{}<>\s][^{}<>]*[.a-z]$/)
}

test('health says ok', async () => {
  const answer = await fetch(`${server.origin}/api/health`)
  expect([answer.status, await answer.text()]).toEqual([200, 'ok'])
})

test('an unknown path is a plain 404', async () => {
  await expectSentence(await fetch(`${server.origin}/api/nothing`), 404)
  await expectSentence(await fetch(`${server.origin}/media/nothing/here.mp4`), 404)
})

test('a body that is not JSON is refused in words', async () => {
  await expectSentence(await post('/api/login', '{"username":'), 400)
  await expectSentence(await post('/api/login', '[1,2]'), 400)
  await expectSentence(await post('/api/login', '"text"'), 400)
  await expectSentence(await post('/api/login', 'username=ann', 'text/plain'), 415)
})

test('a body over 64 KiB is a 413', async () => {
  await expectSentence(
    await post('/api/login', JSON.stringify({ username: 'x'.repeat(70_000) })),
    413,
  )
})

test.each([
  ['of a known length', 'Content-Length: 80000', 'x'.repeat(80_000)],
  ['in pieces', 'Transfer-Encoding: chunked', `13880\r\n${'x'.repeat(80_000)}\r\n0\r\n\r\n`],
])('a body that is too large, %s, is heard to its end', async (_, length, body) => {
  const type = 'Content-Type: application/json'
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  socket.write(`POST /api/login HTTP/1.1\r\nHost: a\r\n${type}\r\n${length}\r\n\r\n`)
  socket.write(body.slice(0, 70_000))
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 413 /)
  socket.write(body.slice(70_000))
  socket.write('GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => text).toMatch(/HTTP\/1\.1 200 OK/)
  socket.destroy()
})

test('headers that are too large are a plain 431, and a broken request line a plain 400', async () => {
  const large = await raw(`GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(large).toMatch(/^HTTP\/1\.1 431 /)
  expect(large).toContain('text/plain; charset=utf-8')
  const broken = await raw('NONSENSE\r\n\r\n')
  expect(broken).toMatch(/^HTTP\/1\.1 400 /)
  expect(broken).toContain('text/plain; charset=utf-8')
})

test('a request without a host, or with an expectation nobody meets, is refused in words', async () => {
  const headers = 'Content-Length: 2\r\nConnection: close\r\n\r\n{}'
  const nameless = await raw('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(nameless).toMatch(/^HTTP\/1\.1 400 /)
  expect(nameless).toContain('The request does not say which host it is for.')
  const demanding = await raw(`POST /api/login HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n${headers}`)
  expect(demanding).toMatch(/^HTTP\/1\.1 417 /)
  for (const answer of [nameless, demanding]) {
    expect(answer).toMatch(/content-type: text\/plain; charset=utf-8/i)
    expect(answer).toMatch(/x-content-type-options: nosniff/i)
  }
  expect(demanding).toMatch(/[a-z ]+\.$/)
})

test.each(['Host: a\r\nHost: b', 'Host: a b', 'Host: a/b', 'Host: \u00e9'])(
  'a request for more than one host, or for none that there can be, is a plain 400: %j',
  async (lines) => {
    const answer = await raw(`GET /api/health HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('The Host header of the request is not well-formed.')
  },
)

test('a method that procedures cannot have is refused as one, and a mixed batch as JSON', async () => {
  const trace = await raw('TRACE /trpc/video.list HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  expect(trace).toMatch(/^HTTP\/1\.1 405 /)
  expect(trace).toContain('"code":"METHOD_NOT_SUPPORTED"')
  const mixed = await fetch(`${server.origin}/trpc/video.list,auth.logout?batch=1&input={}`)
  expect([mixed.status, mixed.headers.get('content-type')]).toEqual([400, 'application/json'])
})

test('a client that goes away in the middle of its request is not an error of the site', async () => {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  const head = 'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: 100\r\n\r\n{"username":`)
  await fetch(`${server.origin}/api/health`)
  socket.destroy()
  await once(socket, 'close')
  await fetch(`${server.origin}/api/health`)
  expect(server.output.join('')).not.toContain('request failed')
})

test('CONNECT is refused in words, and so is what comes in the same breath', async () => {
  const answer = await raw('CONNECT other.example:443 HTTP/1.1\r\nHost: a\r\n\r\nmore')
  expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
  expect(answer).toContain('This address does not take that method.')
})

longTest(
  'a connection that was refused is given up though the other side never closes it',
  async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {})
    socket.write('NONSENSE\r\n\r\n')
    await once(socket, 'end')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    // The side that is gone answers the next bytes with a reset.
    const knocking = setInterval(() => socket.write('more'), 200)
    await closed
    clearInterval(knocking)
  },
)

test('an old client that names no host is answered', async () => {
  expect(await raw('GET /api/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 .*ok$/s)
})

test('HEAD of an unknown page says what GET says', async () => {
  for (const path of ['/nothing', '/video/999', '/profile/999/nothing']) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(server.origin + path, { method })),
    )
    const facts = (answer: Response | undefined) => [
      answer?.status,
      answer?.headers.get('content-type'),
    ]
    expect([path, ...facts(head)]).toEqual([path, ...facts(get)])
  }
})

test('a malformed address is a plain 400', async () => {
  expect(await raw('GET /api/%E0%A4%A HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 .*text\/plain/s,
  )
})

test.each(['0', '-1', '1.5', 'abc', '9007199254740992', '99999999999999999999', '1e3', '%20'])(
  'the id "%s" is a 400',
  async (id) => {
    await expectSentence(await fetch(`${server.origin}/api/videos/${id}`), 400)
  },
)

test('a tRPC error carries the sentence and no stack', async () => {
  const answer = await fetch(
    `${server.origin}/trpc/video.get?input=${encodeURIComponent('{"id":99}')}`,
  )
  expect(answer.status).toBe(404)
  const { error } = (await answer.json()) as { error: { message: string; data: object } }
  expect(error.message).toBe('This video could not be found or is no longer available.')
  expect(error.data).toEqual({ code: 'NOT_FOUND', httpStatus: 404 })
})

test('a batch of more than 20 calls is refused', async () => {
  const path = Array.from({ length: 21 }, () => 'video.categories').join(',')
  const answer = await fetch(`${server.origin}/trpc/${path}?batch=1&input={}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { message: 'A batch has at most 20 calls.' } })
})

test('what is refused before a procedure is reached has the code of its status', async () => {
  const send = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.origin + path, init)
    const { error } = (await answer.json()) as { error: { code: number; data: object } }
    return { status: answer.status, code: error.code, data: error.data }
  }
  const body = JSON.stringify({ text: 'x'.repeat(70_000) })
  const json = { 'content-type': 'application/json' }
  expect(await send('/trpc/auth.login', { method: 'POST', headers: json, body })).toEqual({
    status: 413,
    code: -32_013,
    data: { code: 'PAYLOAD_TOO_LARGE', httpStatus: 413 },
  })
  const foreign = { ...json, origin: 'https://evil.example' }
  expect(await send('/trpc/auth.login', { method: 'POST', headers: foreign, body: '{}' })).toEqual({
    status: 403,
    code: -32_003,
    data: { code: 'FORBIDDEN', httpStatus: 403 },
  })
  expect(await send('/trpc/auth/login')).toEqual({
    status: 404,
    code: -32_004,
    data: { code: 'NOT_FOUND', httpStatus: 404 },
  })
})

test.each([
  ['GET', '/trpc/none.such', 404, 'There is no such call.'],
  ['GET', '/trpc/auth.logout', 405, 'This call does not take that method.'],
  ['POST', '/trpc/comment.create', 415, 'Send this as application/json.'],
])('%s %s is refused in words of ours', async (method, path, status, message) => {
  const answer = await fetch(server.origin + path, { method })
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ error: { message } })
})

test('a second server on the same data folder stops with a sentence', async () => {
  await expect(startServer({ dataFolder: server.dataFolder })).rejects.toThrow(
    /Another Clutch already uses the data folder/,
  )
})

longTest('a second server on the same port stops with a sentence', async () => {
  // What answers meanwhile is the first one.
  const second = await startServer({ port: server.port })
  await expect.poll(() => second.output.join('')).toMatch(/PORT is in use by another program/)
  await second.remove()
})

test('a wrong setting stops the start with a sentence that names it', async () => {
  await expect(startServer({ env: { PROCESSING_JOBS: 'many' } })).rejects.toThrow(
    /PROCESSING_JOBS must be a number from 0 to 64, but is 'many'\./,
  )
})

test.each([
  [{ TRUSTED_PROXY: '10.0.0.0/8/9' }, 'TRUSTED_PROXY must be addresses or CIDR ranges'],
  [{ RENDITIONS: ',' }, 'RENDITIONS must be heights from 144 to 4320'],
  [{ PORT: '0x50' }, 'PORT must be a port from 0 to 65535'],
  [{ PUBLIC_URL: 'https://example.org/clips' }, 'PUBLIC_URL must be an address without a path'],
])('the setting %o is refused with a sentence', (env, sentence) => {
  expect(() => readConfig(env as Record<string, string>)).toThrow(sentence)
})

longTest.each([
  [{ HOST: 'nonsense.invalid' }, 'HOST is not an address of this machine.'],
  [{ DATA_DIR: '/dev/null' }, 'DATA_DIR is not a folder.'],
  [{ DATA_DIR: '/proc/data/clutch' }, "DATA_DIR is '/proc/data', where no folder can be made."],
])('the setting %o stops the start with one sentence', async (env, sentence) => {
  const failure = await startServer({ env: env as Record<string, string> }).catch((error) => error)
  expect(String(failure)).toContain(sentence)
  expect(String(failure)).not.toContain(' at ')
})

longTest('SIGTERM ends the server with 0, and the folder can be used again', async () => {
  const first = await startServer()
  expect(await first.stop('SIGTERM')).toBe(0)
  const second = await startServer({ dataFolder: first.dataFolder })
  await second.remove()
})
