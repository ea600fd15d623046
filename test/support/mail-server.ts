import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailConfig } from '#server/platform/mail-config.ts'

export type ReceivedMail = {
  from: string
  to: string[]
  /** Names are in lower case. */
  headers: Record<string, string>
  text: string
  html: string
  raw: string
}

export const MAIL_USER = { user: 'clips', password: 'a secret of the server' }

/** Answers that refuse an email, such as '550 No such user'. */
type Refusals = { sender?: string; address?: string; message?: string }

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a real SMTP server on this machine that stores what it receives. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const refusals: Refusals = {}
  const refuse = (answer: string) => {
    const [code = '550', ...words] = answer.split(' ')
    return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) })
  }
  const open = () =>
    new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      logger: false,
      onAuth({ username, password }, _, done) {
        const isRight = username === MAIL_USER.user && password === MAIL_USER.password
        if (isRight) done(null, { user: username })
        else done(refuse('535 Wrong password'))
      },
      onMailFrom: (_address, _session, done) =>
        done(refusals.sender ? refuse(refusals.sender) : null),
      onRcptTo: (_address, _session, done) =>
        done(refusals.address ? refuse(refusals.address) : null),
      async onData(stream, { envelope }, done) {
        const raw = (await buffer(stream)).toString('utf8')
        if (refusals.message) return done(refuse(refusals.message))
        const { mailFrom, rcptTo } = envelope
        const from = mailFrom ? mailFrom.address : ''
        received.push({ from, to: rcptTo.map(({ address }) => address), ...readMessage(raw) })
        done()
      },
      ...options,
    })
  let server = open()
  // Clients that reject its certificate do not fail the test.
  const listen = async (port: number) => {
    server.on('error', () => {})
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
  }
  await listen(0)
  const { port } = server.server.address() as AddressInfo
  const stop = () => new Promise<void>((done) => server.close(() => done()))
  return {
    port,
    received,
    refusals,
    url: `smtp://127.0.0.1:${port}?tls=none`,
    /** The configuration that `readConfig` would return for this server. */
    config: {
      ...{ host: '127.0.0.1', port, security: 'none', user: undefined, password: undefined },
      from: { name: undefined, address: 'clips@example.org' },
    } satisfies MailConfig,
    stop,
    /** Starts again on the same port after `stop`. */
    async resume() {
      server = open()
      await listen(port)
    },
    /** Forgets what was received and ends refusals. */
    clear() {
      received.length = 0
      for (const name of Object.keys(refusals)) delete refusals[name as keyof Refusals]
    },
    /** Returns the emails to an address. */
    to: (address: string) => received.filter(({ to }) => to.includes(address)),
  }
}

/** Returns the link in an email to a page, as a path with query or fragment. */
export function linkIn({ text }: ReceivedMail, page: string): string {
  const link = new RegExp(`https?://[^/\\s]+(/${page}[#?]\\S+)`).exec(text)?.[1]
  if (!link) throw new Error(`There is no link to /${page} in: ${text}`)
  return link
}

function readMessage(raw: string) {
  const { headers, body } = readPart(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1]
  const parts = body.split(`--${boundary}`).map((part) => readPart(part.replace(/^\r\n/, '')))
  const bodyOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type))
    const text = part ? decode(part.body, part.headers['content-transfer-encoding']) : ''
    return text.replaceAll('\r\n', '\n')
  }
  return { headers, text: bodyOf('text/plain'), html: bodyOf('text/html'), raw }
}

function readPart(part: string) {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    return name ? [[name.toLowerCase(), value ?? ''] as const] : []
  })
  return { headers: Object.fromEntries<string>(headers), body: rest.join('\r\n\r\n') }
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
