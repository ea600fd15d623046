import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { kindOfAddress } from '#server/platform/outgoing/address.ts'
import { createOutgoing, type OutgoingRequest } from '#server/platform/outgoing/outgoing.ts'
import { readHost } from '#shared/local-host.ts'
import { isInstalled, makeCertificate, trustOnly } from '#test/support/deployed-proxy.ts'
import { until } from '#test/support/until.ts'

let asked: IncomingMessage[] = []
let logged: object[] = []
let resolved: string[] = []
let localHosts: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void
/** Addresses of names, which no server of the machine knows. */
const NAMES: Record<string, string[]> = {
  'lan.test': ['127.0.0.1'],
  'mixed.test': ['93.184.215.14', '127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
}
const server = createServer((request, response) => {
  asked.push(request)
  answer(request, response)
})
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  logged = []
  resolved = []
  localHosts = ['lan.test']
  answer = (_, response) => response.end('hello')
})

const outgoing = createOutgoing({
  log: { info: (fields) => void logged.push(fields) },
  localHosts: async () => localHosts,
  resolve: async (host) => {
    resolved.push(host)
    return (NAMES[host] ?? []).map((address) => ({ address, family: 4 }))
  },
})
const ask = (path: string, more: Partial<OutgoingRequest> = {}) =>
  outgoing({ url: `http://lan.test:${port}${path}`, ...more })

describe('addresses', () => {
  test.each([
    ['93.184.215.14', 'public'],
    ['2606:4700::6810:84e5', 'public'],
    ['::7f00:1', 'forbidden'],
    ['10.1.2.3', 'local'],
    ['172.20.0.1', 'local'],
    ['192.168.1.1', 'local'],
    ['100.64.0.1', 'local'],
    ['127.8.8.8', 'local'],
    ['::1', 'local'],
    ['fd00::1', 'local'],
    ['::ffff:10.0.0.1', 'local'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['169.254.169.254', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['64:ff9b::a00:1', 'forbidden'],
    ['2002:a00:1::', 'forbidden'],
    ['::', 'forbidden'],
    ['not an address', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind)
  })
})

describe('a host for the list', () => {
  test.each([
    ['Auth.LAN', 'auth.lan'],
    ['minio_1:09000', 'minio_1:9000'],
    ['bücher.lan', 'xn--bcher-kva.lan'],
    ['10.0.0.5:443', '10.0.0.5:443'],
    ['fd00::0:1', '[fd00::1]'],
    ['[FD00::1]:80', '[fd00::1]:80'],
  ])('%s is %s', (line, host) => {
    expect(readHost(line)).toBe(host)
  })

  test.each([
    ...[
      '',
      '*.lan',
      'https://auth.lan',
      'auth.lan/path',
      'ann@auth.lan',
      'auth.lan:',
      'auth.lan:0',
    ],
    ...['auth.lan:65536', 'auth..lan', 'auth.lan.', '10.0.0.0/8', '10.5', '0x7f.1', 'fe80::1%eth0'],
    ...['auth lan', `${'a'.repeat(64)}.`.repeat(4)],
  ])("'%s' is none", (line) => {
    expect(readHost(line)).toBeUndefined()
  })
})

describe('an outgoing request', () => {
  test('connects to the address that was checked, and asks for the host by its name', async () => {
    const { status, body } = await ask('/hello')
    expect([status, body.toString()]).toEqual([200, 'hello'])
    expect(asked[0]?.headers).toMatchObject({ host: `lan.test:${port}`, 'user-agent': 'Clutch' })
    expect(resolved).toEqual(['lan.test'])
    expect(logged).toEqual([
      { host: `lan.test:${port}`, method: 'GET', ms: expect.any(Number), status: 200, bytes: 5 },
    ])
  })

  test.each([
    ['the host', () => 'lan.test'],
    ['the host and its port', () => `lan.test:${port}`],
  ])('reaches the local network when %s is listed', async (_, host) => {
    localHosts = ['other.test', host()]
    expect((await ask('/')).status).toBe(200)
  })

  test('is refused for another port than the listed one, or when members choose its address', async () => {
    const listed = {
      message: expect.stringContaining('must be asked with https. An admin can allow it'),
    }
    const unlistedHost = `lan.test:${port}`
    localHosts = ['lan.test:80', `lan.test:${port + 1}`, 'test']
    await expect(ask('/')).rejects.toMatchObject({ ...listed, unlistedHost })
    localHosts = ['lan.test']
    for (const url of [`http://lan.test:${port}/`, `https://lan.test:${port}/`]) {
      await expect(ask('/', { url, isPublicOnly: true })).rejects.toMatchObject({
        message: expect.not.stringContaining('An admin'),
        unlistedHost: undefined,
      })
    }
    expect(asked).toEqual([])
  })

  test('counts the usual port of an address that has none', async () => {
    localHosts = ['lan.test:443']
    await expect(ask('/', { url: 'https://lan.test/' })).rejects.toThrow('cannot be reached')
    localHosts = ['lan.test:80']
    await expect(ask('/', { url: 'https://lan.test/' })).rejects.toThrow('is on the local network')
  })

  test.each([
    ['http to an unlisted host', { url: 'http://none.test/' }, 'must be asked with https'],
    ['loopback', { url: 'https://127.0.0.1/' }, 'is on the local network'],
    ['loopback as one number', { url: 'https://2130706433/' }, 'is on the local network'],
    ['loopback in IPv6', { url: 'https://[::1]/' }, 'is on the local network'],
    ['a name with one local address', { url: 'https://mixed.test/' }, 'is on the local network'],
    ['cloud metadata', { url: 'https://metadata.test' }, 'may not be asked'],
    ['link-local', { url: 'http://169.254.169.254/' }, 'may not be asked'],
    ['a name that nobody knows', { url: 'https://none.test/' }, 'There is no host none.test.'],
    ['another protocol', { url: 'file:///etc/passwd' }, 'must begin with https://'],
    ['a password in the address', { url: 'https://a:b@lan.test/' }, 'no name or password'],
    ['what is no address', { url: 'lan.test' }, 'must begin with https://'],
  ])('is refused: %s', async (_, more, sentence) => {
    localHosts.push('metadata.test', '169.254.169.254')
    await expect(ask('/', more)).rejects.toThrow(sentence)
    expect(asked).toEqual([])
    expect(logged).toMatchObject([{ error: expect.stringContaining(sentence) }])
  })

  test('follows redirects on the same host only, and not for ever', async () => {
    answer = ({ url }, response) => {
      if (url === '/there') response.end('found')
      else if (url === '/away') response.writeHead(302, { location: 'https://example.org/' }).end()
      else response.writeHead(302, { location: url === '/loop' ? '/loop' : '/there' }).end()
    }
    expect((await ask('/here')).body.toString()).toBe('found')
    await expect(ask('/away')).rejects.toThrow('redirects to another host')
    await expect(ask('/loop')).rejects.toThrow('redirects too often')
    await expect(ask('/here', { method: 'POST', body: '{}' })).rejects.toThrow('redirects the')
  })

  test('follows redirects to other hosts when asked, without credentials', async () => {
    localHosts = ['lan.test', '127.0.0.1']
    answer = ({ url }, response) => {
      if (url === '/there') response.end('found')
      else response.writeHead(302, { location: `http://127.0.0.1:${port}/there` }).end('moved')
    }
    const headers = { authorization: 'Token secret', range: 'bytes=0-' }
    const pieces: string[] = []
    const receive = async (piece: Buffer) => void pieces.push(piece.toString())
    const { status, body } = await ask('/here', { followsHosts: true, headers, receive })
    expect([status, body.length, pieces]).toEqual([200, 0, ['found']])
    expect(asked[0]?.headers.authorization).toBe('Token secret')
    expect(asked[1]?.headers).toMatchObject({ range: 'bytes=0-' })
    expect(asked[1]?.headers.authorization).toBeUndefined()
    localHosts = ['lan.test']
    await expect(ask('/here', { followsHosts: true })).rejects.toThrow('must be asked with https')
  })

  test.runIf(isInstalled('openssl', 'version'))(
    'sends no credentials when the same host redirects from https to http',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'clutch-outgoing-'))
      const certificate = makeCertificate(folder, 'lan.test')
      const cert = await readFile(certificate.path, 'utf8')
      const tokens: (string | undefined)[] = []
      const note = ({ headers }: IncomingMessage) => tokens.push(headers.authorization)
      let origin = ''
      const plain = createServer((request, response) => {
        note(request)
        response.end('found')
      })
      const secure = createSecureServer(
        { cert, key: await readFile(certificate.key, 'utf8') },
        (request, response) => {
          note(request)
          response.writeHead(302, { location: `http://${origin}/there` }).end()
        },
      )
      // Both answer on one port, so that only the protocol differs.
      const both = createSocketServer((socket) => {
        socket.once('data', (first) => {
          const { port } = (first[0] === 0x16 ? secure : plain).address() as AddressInfo
          const inner = connect(port, '127.0.0.1')
          inner.write(first)
          socket.pipe(inner).pipe(socket)
        })
      })
      for (const one of [plain, secure, both]) {
        one.listen(0, '127.0.0.1')
        await once(one, 'listening')
      }
      origin = `lan.test:${(both.address() as AddressInfo).port}`
      const restoreTrust = trustOnly(cert)
      try {
        const headers = { authorization: 'Token secret' }
        const { body } = await ask('', { url: `https://${origin}/here`, headers })
        expect([body.toString(), tokens]).toEqual(['found', ['Token secret', undefined]])
      } finally {
        restoreTrust()
        for (const one of [plain, secure, both]) one.close()
        await rm(folder, { recursive: true })
      }
    },
  )

  test('reads nothing of a redirect but its address', async () => {
    let isOpen = true
    answer = ({ url }, response) => {
      if (url === '/there') response.end('found')
      else {
        response.writeHead(302, { location: '/there' }).write('x')
        response.on('close', () => {
          isOpen = false
        })
      }
    }
    const wish = { maxBytes: Number.MAX_SAFE_INTEGER, timeoutMs: 1000 }
    expect((await ask('/here', wish)).body.toString()).toBe('found')
    await until(() => !isOpen)
    await expect(ask('/here', { ...wish, method: 'POST', body: '{}' })).rejects.toThrow(
      'redirects the',
    )
  })

  test('ends when nothing comes any more, or when the receiver refuses', async () => {
    answer = (_, response) => void response.writeHead(200).write('x')
    await expect(ask('/', { idleMs: 50 })).rejects.toThrow('sends nothing any more')
    answer = () => {}
    await expect(ask('/', { idleMs: 50 })).rejects.toThrow('sends nothing any more')
    answer = (_, response) => void response.end('x')
    const receive = () => Promise.reject(new Error('no room'))
    await expect(ask('/', { receive })).rejects.toThrow('no room')
  })

  test('does not wait longer for the address of a name', async () => {
    const request = createOutgoing({
      log: { info: () => undefined },
      localHosts: async () => [],
      resolve: () => new Promise(() => undefined),
    })
    await expect(request({ url: 'https://slow.test/', timeoutMs: 50 })).rejects.toThrow(
      'slow.test did not answer in time.',
    )
  })

  test('ends with a sentence when the answer is too large, too late or broken off', async () => {
    answer = (_, response) => void response.end('x'.repeat(2000))
    await expect(ask('/', { maxBytes: 1000 })).rejects.toThrow('answers with too much')
    answer = () => {}
    await expect(ask('/', { timeoutMs: 50 })).rejects.toThrow('did not answer in time')
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part')
      setTimeout(() => response.destroy(), 20)
    }
    await expect(ask('/')).rejects.toThrow('broke off its answer')
    answer = (request) => void request.socket.destroy()
    await expect(ask('/')).rejects.toThrow('cannot be reached')
  })

  test('ends when its caller ends it', async () => {
    const ending = new AbortController()
    answer = () => ending.abort()
    await expect(ask('/', { signal: ending.signal })).rejects.toThrow()
  })
})
