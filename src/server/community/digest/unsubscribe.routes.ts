import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { accentOn } from '#shared/colour.ts'
import { escapeMarkup } from '#shared/embed-code.ts'
import { unsubscribe } from './digest.service.ts'
import { readUnsubscribeToken } from './unsubscribe-token.ts'

const PATH = '/unsubscribe'
const BODY_MAX = 2048
const DEFAULT_ACCENT = '#c8ff3e'
type Asked = { Querystring: { token?: unknown } }

const tokenOf = ({ token }: Asked['Querystring']) => (typeof token === 'string' ? token : '')

/**
 * RFC 8058: the program that shows the email sends the POST, without a cookie. Programs that look at the links of an
 * email open them, so that GET changes nothing.
 */
export async function registerUnsubscribe(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const { db } = deps
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
  const options = { parseAs: 'string', bodyLimit: BODY_MAX } as const
  app.addContentTypeParser(forms, options, (_, _body, done) => done(null, undefined))

  app.get<Asked>(PATH, async ({ query }, reply) => {
    const token = tokenOf(query)
    const isKnown = (await readUnsubscribeToken(db, token)) !== undefined
    return isKnown
      ? sendPage(reply, db, {
          title: 'Unsubscribe',
          text: 'Stop the summaries of your notifications by email?',
          action: `${PATH}?token=${encodeURIComponent(token)}`,
        })
      : sendUnknown(reply, db)
  })

  app.post<Asked>(PATH, async ({ query }, reply) => {
    if (!(await unsubscribe(db, tokenOf(query)))) return sendUnknown(reply, db)
    return sendPage(reply, db, {
      title: 'Unsubscribed',
      text: 'You get no more summaries by email. You can turn them on again in your settings.',
    })
  })
}

const sendUnknown = (reply: FastifyReply, db: AppDeps['db']) =>
  sendPage(reply.code(404), db, {
    title: 'This link does not work',
    text: 'It is not complete. Open it again from the email, or use your settings.',
  })

async function sendPage(
  reply: FastifyReply,
  db: AppDeps['db'],
  { title, text, action }: { title: string; text: string; action?: string },
) {
  const { name, accent } = await findSiteSettings(db)
  const [dark, light] = (['dark', 'light'] as const).map((scheme) =>
    accentOn(scheme, accent ?? DEFAULT_ACCENT),
  )
  const form = action
    ? `<form method="post" action="${escapeMarkup(action)}"><button>Unsubscribe</button></form>`
    : '<p><a href="/settings#notifications">Settings</a></p>'
  return reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>${escapeMarkup(title)} · ${escapeMarkup(name)}</title>
<style>
:root { color-scheme: dark light; --ground: #0b0d12; --text: #e9ecf2; --muted: #9aa4b5; --fill: ${dark?.fill}; --ink: ${dark?.ink} }
@media (prefers-color-scheme: light) { :root { --ground: #ffffff; --text: #0b0d12; --muted: #525b6b; --fill: ${light?.fill}; --ink: ${light?.ink} } }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 420px; margin: 0 auto; padding: 96px 24px }
h1 { margin: 0 0 12px; font-size: 28px; line-height: 1.2 }
p { margin: 0 0 24px; color: var(--muted) }
a { color: inherit }
button { min-height: 44px; padding: 0 20px; border: 0; border-radius: 6px; background: var(--fill); color: var(--ink); font: inherit; font-weight: 600; cursor: pointer }
</style>
</head>
<body>
<main>
<p>${escapeMarkup(name)}</p>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>
${form}
</main>
</body>
</html>
`)
}
