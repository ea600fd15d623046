import { z } from 'zod'
import { emailRule } from '#shared/field-rules.ts'

export type MailConfig = {
  host: string
  port: number
  /** With `starttls`, nothing is sent if the server does not offer STARTTLS. */
  security: 'tls' | 'starttls' | 'none'
  user: string | undefined
  password: string | undefined
  from: { name: string | undefined; address: string }
}

const ADDRESS = /^(?:(?<name>[^<>\p{Cc}]*)<(?<quoted>[^<>\s]+)>|(?<plain>[^<>\s]+))$/u
const URL_ERROR =
  'must be smtps://user:password@host, or smtp:// in its place, with ?tls=none for a server without TLS'

export const mailVariables = {
  SMTP_URL: z
    .string()
    .trim()
    .refine((url) => readServer(url) !== undefined, URL_ERROR)
    .optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .refine((from) => readSender(from) !== undefined, {
      error: 'must be an address such as Clips <clips@example.org>',
    })
    .optional(),
}

type Variables = z.infer<z.ZodObject<typeof mailVariables>>

/** @returns a sentence if only one of the variables is set */
export function readMail({ SMTP_URL, MAIL_FROM }: Variables): MailConfig | string | undefined {
  if (SMTP_URL === undefined && MAIL_FROM === undefined) return undefined
  if (MAIL_FROM === undefined) return 'MAIL_FROM must be set because SMTP_URL is set.'
  if (SMTP_URL === undefined) return 'SMTP_URL must be set, since MAIL_FROM is.'
  const [server, from] = [readServer(SMTP_URL), readSender(MAIL_FROM)]
  return server && from && { ...server, from }
}

function readServer(text: string): Omit<MailConfig, 'from'> | undefined {
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined
  if (!/^\/?$/.test(url.pathname) || url.hash !== '') return undefined
  const isTls = url.protocol === 'smtps:'
  const plain = url.search === '?tls=none'
  if ((url.search !== '' && !plain) || (isTls && plain)) return undefined
  const user = decode(url.username)
  const password = decode(url.password)
  if (user === undefined || password === undefined || (user === '') !== (password === '')) {
    return undefined
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    security: isTls ? 'tls' : plain ? 'none' : 'starttls',
    user: user || undefined,
    password: password || undefined,
  }
}

function readSender(text: string): MailConfig['from'] | undefined {
  const { name, quoted, plain } = ADDRESS.exec(text)?.groups ?? {}
  const address = quoted ?? plain
  // A mail server on the local network may accept senders without a domain name.
  if (address === undefined || (emailRule(address) && !/^[\w.+-]+@localhost$/.test(address))) {
    return undefined
  }
  return { name: name?.trim().replace(/^"(.*)"$/, '$1') || undefined, address }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
