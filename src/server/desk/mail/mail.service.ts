import { findRecipient } from '#server/account/email/email.queries.ts'
import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { findMailState } from '#server/platform/mail/mail.queries.ts'
import { MailError } from '#server/platform/mail/smtp.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { MailState } from '#shared/schemas/email.schemas.ts'

export async function readMailState({
  db,
  mail,
  config,
}: Pick<Context, 'db' | 'mail' | 'config'>): Promise<MailState> {
  const server = mail ? { host: mail.host, from: mail.from } : null
  const { waiting, failure } = mail ? await findMailState(db) : { waiting: 0, failure: null }
  return { server, problem: config.mailProblem ?? null, waiting, failure }
}

/**
 * Sends the email at once, without the queue, to show the answer of the mail server.
 * @throws `unprocessable` with the reason, `not-found` on a site that sends no email, `too-many`
 */
export async function sendTestMail(
  { db, mail, limits, log }: Pick<Context, 'db' | 'mail' | 'limits' | 'log'>,
  { viewer }: { viewer: Viewer },
): Promise<{ address: string }> {
  if (!mail) throw new AppError('not-found', 'This site sends no email.')
  const member = await findRecipient(db, viewer.id)
  if (!member) throw new AppError('unauthenticated', 'Please sign in first.')
  await limits.mails.count(`test ${viewer.id}`)
  try {
    await mail.sendNow({
      userId: member.id,
      to: member.email,
      subject: 'A test',
      text: [`Hello @${member.username},`, 'This site can send email.'],
      reason: 'You received this email because you asked for a test in the settings of the site.',
    })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    log.info({ reason: error.message }, 'the test email was not sent')
    throw new AppError('unprocessable', error.message)
  }
  return { address: member.email }
}
