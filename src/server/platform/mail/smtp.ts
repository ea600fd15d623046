/**
 * Sends through the operator's mail server. Only sites that send email load the library. See
 * docs/decisions/0080-mail.md.
 */
import { emailRule } from '#shared/field-rules.ts'
import { cutText } from '#shared/text/cut-text.ts'
import type { MailConfig } from '../mail-config.ts'
import { type Letter, type LetterSite, oneLine, renderHtml, renderText } from './letter.ts'

const CONNECT_MS = 10_000
const IDLE_MS = 20_000
/** Limits the whole connection. It must be less than the lease of a mail. */
export const SENDING_MS = 60_000
/** RFC 3463: refused because of a policy, not because of the address. */
const POLICY = /\b5\.7\.\d+\b/
const ANSWER_MAX = 100
const NO_TLS = 'does not offer STARTTLS, and SMTP_URL does not end in ?tls=none'

/**
 * `server`: no mail can be sent now. `address`: this address takes no mail. `letter`: this mail is refused. `later`:
 * this mail may be taken later. The message is a sentence for admins.
 */
export class MailError extends Error {
  readonly fault: 'server' | 'address' | 'letter' | 'later'

  constructor(fault: MailError['fault'], message: string) {
    super(message)
    this.fault = fault
  }
}

export type Smtp = {
  /** @throws MailError */
  send: (
    letter: Letter,
    options: { site: LetterSite; messageId: string; signal: AbortSignal },
  ) => Promise<void>
  /**
   * Signs in without sending.
   * @throws MailError
   */
  check: () => Promise<void>
}

export function createSmtp(config: MailConfig): Smtp {
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const { host, port, security, user, password } = config
    return createTransport({
      ...{ host, port, secure: security === 'tls' },
      ...{ requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
      ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, dnsTimeout: CONNECT_MS },
      ...{ socketTimeout: IDLE_MS, disableFileAccess: true, disableUrlAccess: true },
    })
  }
  return {
    async send(letter, { site, messageId, signal }) {
      const { to } = letter
      if (emailRule(to)) throw new MailError('address', 'The address is not well-formed.')
      const { address } = config.from
      const transport = await open()
      try {
        await transport.sendMail({
          from: { name: oneLine(config.from.name ?? site.name), address },
          to: { name: '', address: to },
          // Set explicitly instead of from the headers, so that there is exactly one recipient.
          envelope: { from: address, to: [to] },
          subject: oneLine(letter.subject),
          text: renderText(letter, site),
          html: renderHtml(letter, site),
          headers: { 'Auto-Submitted': 'auto-generated', ...letter.headers },
          messageId,
          signal: AbortSignal.any([signal, AbortSignal.timeout(SENDING_MS)]),
        })
      } catch (error) {
        throw toMailError(error, { config, to })
      } finally {
        transport.close()
      }
    },

    async check() {
      const transport = await open()
      try {
        await transport.verify()
      } catch (error) {
        throw toMailError(error, { config, to: undefined })
      } finally {
        transport.close()
      }
    },
  }
}

type NodemailerError = NodeJS.ErrnoException & {
  command?: string
  response?: string
  responseCode?: number
  originalCode?: string
}

function toMailError(
  error: unknown,
  { config, to }: { config: MailConfig; to: string | undefined },
): MailError {
  const failure = error as NodemailerError
  const { code, command = '', response = '', responseCode = 0 } = failure
  const server = `The mail server ${config.host}:${config.port}`
  const answer = quoteAnswer(response, to)
  const isForGood = responseCode >= 500
  if (command === 'RCPT TO') {
    const isUnknown = isForGood && !POLICY.test(response)
    return new MailError(isUnknown ? 'address' : 'later', `${server} refused the address${answer}`)
  }
  if (command === 'MAIL FROM') {
    return new MailError('server', `${server} refused the sender ${config.from.address}${answer}`)
  }
  if (command === 'DATA') {
    return new MailError(isForGood ? 'letter' : 'later', `${server} refused the email${answer}`)
  }
  if (code === 'EAUTH' || command.startsWith('AUTH')) {
    return new MailError('server', `${server} refused the user name or password${answer}`)
  }
  if (code === 'ETLS' && config.security === 'starttls' && responseCode > 0) {
    return new MailError('server', `${server} ${NO_TLS}.`)
  }
  return new MailError('server', `${server} ${describeConnection(failure)}${answer}`)
}

function describeConnection({ code, originalCode, message }: NodemailerError): string {
  const codes = [code, originalCode]
  if (codes.includes('ECONNREFUSED')) return 'refused the connection'
  if (code === 'EDNS' || codes.includes('ENOTFOUND')) return 'has no address: the name is unknown'
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'did not answer in time'
  if (/certificate|self.signed|altnames/i.test(message)) {
    return `has no valid certificate: ${plain(message).replace(/\.$/, '')}`
  }
  if (code === 'ETLS') return 'could not begin TLS'
  if (code === 'ECONNECTION' || code === 'ESOCKET') return 'closed the connection'
  return 'could not take the email'
}

const plain = (text: string) => oneLine(text.replaceAll(/[<>{}]/g, ''))

/** Leaves out the member's address, which must not be in the log. */
function quoteAnswer(response: string, to: string | undefined): string {
  const line = plain(response)
  if (line === '') return '.'
  const shown = to === undefined ? line : line.replaceAll(to, '…')
  return `: ${cutText(shown, ANSWER_MAX)}`
}
