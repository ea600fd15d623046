import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailKinds } from '#server/mail-kinds.ts'
import { timestamp } from '#server/platform/db/database.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { createMailing, type Mailing } from '#server/platform/mail/mailing.ts'
import type { MailConfig } from '#server/platform/mail-config.ts'
import type { EmailState } from '#shared/schemas/email.schemas.ts'
import { longTest } from '#test/support/long-form.ts'
import { linkIn, MAIL_USER, type MailServer, startMailServer } from '#test/support/mail-server.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { addRow, changeRows, listRows, readRow } from '#test/support/rows.ts'
import { startServer } from '#test/support/server-process.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { register } from '#test/support/site-member.ts'
import { openTestSite, type TestMember, type TestSite } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

const ORIGIN = 'https://clips.example.org'
const LONG_AGO = '2020-01-01T00:00:00.000Z'
const NEW_PASSWORD = 'battery staple'

const lines: string[] = []
const log = {
  info: (facts: object, text: string) => void lines.push(`${JSON.stringify(facts)} ${text}`),
  warn: (facts: object, text: string) => void lines.push(`${JSON.stringify(facts)} ${text}`),
}
let server: MailServer
let site: TestSite
let mail: Mailing
let ann: TestMember
let calls: ReturnType<typeof callsOf>
let round = 0

/** Opens a second queue, as on another node. */
function openMailing(config = server.config): Mailing {
  const { db, limits, closing: deadline } = site.deps
  const given = { ...site.config, mail: config }
  const opened = createMailing({ config: given, db, limits, log, deadline }, mailKinds)
  if (!opened) throw new Error('The site sends no email.')
  return opened
}

beforeAll(async () => {
  server = await startMailServer()
  site = await openTestSite({ publicUrl: ORIGIN, mail: server.config })
  mail = openMailing()
  calls = callsOf(site)
})
afterAll(async () => {
  await site.close()
  await server.stop()
})
beforeEach(async () => {
  round++
  await site.db.deleteFrom('mails').execute()
  server.clear()
  lines.length = 0
  ann = await addMemberWithPassword(site, `ann${round}`)
})

const addressOf = (member: TestMember) => `${member.username}@example.org`
const forget = (name: string) => calls.ask(undefined, 'auth.forgotPassword', { name })
const makeDue = () => changeRows(site.db, 'mails', { where: {}, values: { nextAt: LONG_AGO } })
const logIn = async (member: TestMember, password: string) =>
  (await site.post('/api/login', { payload: { username: member.username, password } })).statusCode
/** Requests a password link and returns its token. */
async function askForToken(name: string, to: string): Promise<string> {
  await forget(name)
  await mail.deliver()
  const [letter] = server.to(to).slice(-1)
  if (!letter) throw new Error('No email came.')
  return linkIn(letter, 'reset').split('#')[1] ?? ''
}
const setVerified = (member: TestMember) =>
  changeRows(site.db, 'users', { where: { id: member.id }, values: { emailVerifiedAt: LONG_AGO } })

/** Runs `work` while the database refuses to delete rows of `mails`. */
async function refuseDeletion(db: TestSite['db'], work: () => Promise<void>): Promise<void> {
  const table = 'CREATE TRIGGER "refuse" BEFORE DELETE ON "mails" FOR EACH ROW'
  if (isOnPostgres) {
    await sql`CREATE FUNCTION "refuse"() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`.execute(db)
    await sql.raw(`${table} EXECUTE FUNCTION "refuse"()`).execute(db)
  } else {
    await sql.raw(`${table} BEGIN SELECT RAISE(ABORT, 'refused'); END`).execute(db)
  }
  try {
    await work()
  } finally {
    await sql
      .raw(isOnPostgres ? 'DROP FUNCTION "refuse" CASCADE' : 'DROP TRIGGER "refuse"')
      .execute(db)
  }
}

describe('a forgotten password', () => {
  test('is replaced by a link in an email, once, and the change is told', async () => {
    const token = await askForToken(ann.username.toUpperCase(), addressOf(ann))
    const [letter] = server.to(addressOf(ann))
    expect(letter).toMatchObject({ from: 'clips@example.org', to: [addressOf(ann)] })
    expect(letter?.headers.from).toBe('Clutch <clips@example.org>')
    expect(letter?.headers['auto-submitted']).toBe('auto-generated')
    expect(letter?.text).toContain(`${ORIGIN}/reset#${token}`)
    expect(letter?.html).toContain(`href="${ORIGIN}/reset#${token}"`)
    // Requesting a link logs nobody out.
    expect((await site.get('/api/user', { as: ann })).statusCode).toBe(200)
    const wish = { token, password: NEW_PASSWORD }
    await calls.ask(undefined, 'auth.resetPassword', wish)
    expect(await logIn(ann, PASSWORD)).toBe(401)
    expect(await logIn(ann, NEW_PASSWORD)).toBe(200)
    expect(await calls.refusal(undefined, 'auth.resetPassword', wish)).toMatch(/^404 This link was/)
    await mail.deliver()
    expect(server.received.at(-1)?.headers.subject).toBe('Your password was changed')
    // Following the link proves that the member reads the address.
    expect((await readRow(site.db, 'users', { id: ann.id })).emailVerifiedAt).not.toBeNull()
    expect(lines.join()).not.toContain(token)
    expect(await listRows(site.db, 'mails')).toEqual([])
  })

  test('takes the address in place of the name, and a newer link ends the older', async () => {
    const older = await askForToken(addressOf(ann), addressOf(ann))
    const token = await askForToken(ann.username, addressOf(ann))
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token: older })).toBe(404)
    expect(await calls.ask(undefined, 'auth.passwordReset', { token })).toEqual({
      username: ann.username,
    })
  })

  test('leaves the link of an admin, which only an admin’s ends', async () => {
    const admin = await site.addMember(`admin${round}`, { isAdmin: true })
    const ask = () =>
      calls.ask<{ token: string }>(admin, 'member.resetPassword', { userId: ann.id })
    const { token } = await ask()
    const mailed = await askForToken(ann.username, addressOf(ann))
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token })).toBe(200)
    await ask()
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token: mailed })).toBe(404)
  })

  test('is sent to nobody while the link of an admin is the only way left', async () => {
    const admin = await site.addMember(`admin${round}`, { isAdmin: true })
    const input = { userId: ann.id, allWays: true }
    const { token } = await calls.ask<{ token: string }>(admin, 'member.resetPassword', input)
    const sent = server.to(addressOf(ann)).length
    await forget(ann.username)
    await mail.deliver()
    expect(server.to(addressOf(ann))).toHaveLength(sent)
    await calls.ask(undefined, 'auth.resetPassword', { token, password: NEW_PASSWORD })
    expect(await askForToken(ann.username, addressOf(ann))).not.toBe('')
  })

  test('by a link works for an hour, and not after the address was changed', async () => {
    const token = await askForToken(ann.username, addressOf(ann))
    const { expiresAt } = await readRow(site.db, 'passwordResets', { userId: ann.id })
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const where = { userId: ann.id }
    await changeRows(site.db, 'passwordResets', { where, values: { expiresAt: LONG_AGO } })
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token })).toBe(404)
    await changeRows(site.db, 'passwordResets', { where, values: { expiresAt } })
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token })).toBe(200)
    await calls.ask(ann, 'settings.editProfile', { email: `moved${round}@example.org` })
    expect(await calls.statusOf(undefined, 'auth.passwordReset', { token })).toBe(404)
  })

  test('of nobody, of a banned member and of one whose account goes sends nothing', async () => {
    const bob = await addMemberWithPassword(site, `bob${round}`)
    const eve = await addMemberWithPassword(site, `eve${round}`)
    const set = (member: TestMember, values: object) =>
      changeRows(site.db, 'users', { where: { id: member.id }, values })
    await set(bob, { bannedAt: LONG_AGO })
    await set(eve, { deletion: 'keep-comments' })
    for (const name of ['nobody', 'nobody@example.org', bob.username, addressOf(eve)]) {
      // The request does the same work for every name: it inserts a row and looks nothing up.
      expect(await forget(name)).toEqual(await forget(ann.username))
      const rows = await listRows(site.db, 'mails')
      expect(rows.map(({ kind, userId }) => [kind, userId])).toEqual([
        ['password-reset', null],
        ['password-reset', null],
      ])
      await mail.deliver()
    }
    expect(server.received.map(({ to }) => to[0])).toEqual(
      server.received.map(() => addressOf(ann)),
    )
    expect(await listRows(site.db, 'mails')).toEqual([])
  })

  test('is asked for only so often, by an address and for an account', async () => {
    const strict = await openTestSite({ publicUrl: ORIGIN, mail: server.config, rateLimitScale: 1 })
    try {
      const own = callsOf(strict)
      const bob = await strict.addMember('bob')
      for (let asked = 0; asked < 10; asked++) {
        await own.ask(undefined, 'auth.forgotPassword', { name: asked < 5 ? 'bob' : 'nobody' })
      }
      expect(await own.refusal(undefined, 'auth.forgotPassword', { name: 'bob' })).toMatch(
        /^429 Too many links/,
      )
      await strict.deps.mail?.deliver()
      expect(server.to(addressOf(bob))).toHaveLength(3)
    } finally {
      await strict.close()
    }
  })

  test('needs an admin where the site sends no email, or members have no passwords', async () => {
    const silent = await openTestSite({ publicUrl: ORIGIN })
    try {
      const own = callsOf(silent)
      expect(await own.refusal(undefined, 'auth.forgotPassword', { name: 'x' })).toMatch(
        /^404 This site sends no email. Ask an admin/,
      )
      expect(await own.ask(undefined, 'signIn.ways')).toMatchObject({ sendsMail: false })
    } finally {
      await silent.close()
    }
    expect(await calls.ask(undefined, 'signIn.ways')).toMatchObject({ sendsMail: true })
    const set = (passwordsFor: 'admins' | 'everybody') =>
      changeRows(site.db, 'signInSettings', { where: {}, values: { passwordsFor } })
    await set('admins')
    const provider = { source: 'desk', kind: 'oidc', name: 'Authentik' } as const
    const rest = { issuer: 'https://auth.example', clientId: 'clutch', createdAt: timestamp() }
    await addRow(site.db, 'identityProviders', { ...provider, ...rest })
    await forget(ann.username)
    await mail.deliver()
    expect(server.received).toEqual([])
    // Without a provider, everybody can sign in with a password.
    await site.db.deleteFrom('identityProviders').execute()
    await forget(ann.username)
    await mail.deliver()
    await set('everybody')
    expect(server.received).toHaveLength(1)
  })
})

describe('an address', () => {
  const state = (as: TestMember) => calls.ask<EmailState>(as, 'email.state')
  const tokenTo = (address: string) => {
    const [letter] = server.to(address).slice(-1)
    return letter ? linkIn(letter, 'verify').split('#')[1] : undefined
  }

  test('is verified by the link that comes after registration, once', async () => {
    const username = `new${round}`
    const email = `${username}@example.org`
    const payload = { username, email, displayName: 'Newcomer', password: PASSWORD }
    await site.post('/api/register', { payload })
    await mail.deliver()
    const { id, emailVerifiedAt } = await readRow(site.db, 'users', { username })
    expect(emailVerifiedAt).toBeNull()
    const token = tokenTo(email)
    const stored = await readRow(site.db, 'emailVerifications', { userId: id })
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await calls.ask(undefined, 'email.verify', { token })).toEqual({ username })
    expect((await readRow(site.db, 'users', { username })).emailVerifiedAt).not.toBeNull()
    expect(await calls.refusal(undefined, 'email.verify', { token })).toMatch(/^404 This link was/)
    expect(lines.join()).not.toContain(token)
  })

  test('that is changed is no longer verified; the old one is told, and its links end', async () => {
    await calls.ask(ann, 'email.sendVerification')
    await mail.deliver()
    const token = tokenTo(addressOf(ann))
    await setVerified(ann)
    expect(await state(ann)).toEqual({ sends: true, isVerified: true, isRefused: false })
    expect(await calls.refusal(ann, 'email.sendVerification')).toMatch(/^409/)
    const email = `elsewhere${round}@example.org`
    await calls.ask(ann, 'settings.editProfile', { email })
    expect(await state(ann)).toMatchObject({ isVerified: false })
    await mail.deliver()
    const [notice] = server.to(addressOf(ann)).slice(-1)
    expect(notice?.headers.subject).toBe('Your email address was changed')
    expect(notice?.text).not.toContain(email)
    expect(await calls.statusOf(undefined, 'email.verify', { token })).toBe(404)
    await calls.ask(undefined, 'email.verify', { token: tokenTo(email) })
    expect(await state(ann)).toMatchObject({ isVerified: true })
    // Saving the same address changes nothing.
    await calls.ask(ann, 'settings.editProfile', { email, bio: 'Hello' })
    expect(await state(ann)).toMatchObject({ isVerified: true })
  })

  test('is verified within a day, and only while it is the account’s', async () => {
    await calls.ask(ann, 'email.sendVerification')
    await mail.deliver()
    const token = tokenTo(addressOf(ann))
    const where = { userId: ann.id }
    const { expiresAt } = await readRow(site.db, 'emailVerifications', where)
    await changeRows(site.db, 'emailVerifications', { where, values: { expiresAt: LONG_AGO } })
    expect(await calls.statusOf(undefined, 'email.verify', { token })).toBe(404)
    await changeRows(site.db, 'emailVerifications', { where, values: { expiresAt } })
    await changeRows(site.db, 'users', {
      where: { id: ann.id },
      values: { email: `x${round}@y.org` },
    })
    expect(await calls.statusOf(undefined, 'email.verify', { token })).toBe(404)
    expect(await calls.refusal(undefined, 'email.verify', { token: 'x' })).toMatch(/^400 This link/)
  })

  test('that the mail server refuses gets no second try, and its owner is told', async () => {
    server.refusals.address = '550 No such user'
    await calls.ask(ann, 'email.sendVerification')
    await mail.deliver()
    expect(await listRows(site.db, 'mails')).toEqual([])
    expect(await state(ann)).toMatchObject({ isRefused: true })
    expect(lines.filter((line) => line.includes('given up'))).toHaveLength(1)
    expect(lines.join()).toContain('refused the address: 550 No such user')
    expect(lines.join()).not.toContain(addressOf(ann))
    // An accepted email clears the refusal, also of a verified address.
    await setVerified(ann)
    server.refusals.address = '554 5.7.1 Relay access denied'
    await calls.ask(ann, 'email.sendVerification')
    await mail.deliver()
    expect(await listRows(site.db, 'mails')).toMatchObject([{ attempts: 1 }])
    server.clear()
    await makeDue()
    await mail.deliver()
    expect(await state(ann)).toMatchObject({ isRefused: false })
  })

  test('that is not well-formed is given up without asking the server', async () => {
    for (const email of [
      'a b@example.org',
      'x@y.org, z@y.org',
      '"q\r\nBcc: z@y.org"@y.org',
      'é@y.org',
    ]) {
      await changeRows(site.db, 'users', { where: { id: ann.id }, values: { email } })
      await forget(ann.username)
      await mail.deliver()
    }
    expect(server.received).toEqual([])
    expect(await listRows(site.db, 'mails')).toEqual([])
  })

  test('has headers of its own, whatever the site and the member are called', async () => {
    const name = 'Ann\r\nBcc: eve@example.org\r\n\r\n<b>Hi</b> "é" 🎮'
    const rename = (values: { name: string }) =>
      changeRows(site.db, 'siteSettings', { where: {}, values })
    await changeRows(site.db, 'users', { where: { id: ann.id }, values: { displayName: name } })
    await rename({ name })
    await forget(ann.username)
    await mail.deliver()
    await rename({ name: 'Clutch' })
    const [letter] = server.received
    expect(letter?.to).toEqual([addressOf(ann)])
    expect(letter?.headers.bcc).toBeUndefined()
    expect(letter?.headers.from).toMatch(/^=\?UTF-8\?.* <clips@example.org>$/)
    expect(letter?.html).toContain('&lt;b&gt;Hi&lt;/b&gt; &quot;é&quot; 🎮')
    // A display name could carry a message to a stranger.
    expect(letter?.text.split('\n')[0]).toBe(`Hello @${ann.username},`)
  })
})

describe('the queue', () => {
  test('keeps email through an outage, tells it once, and sends each once', async () => {
    await server.stop()
    const bob = await addMemberWithPassword(site, `bob${round}`)
    await forget(ann.username)
    await forget(bob.username)
    await mail.deliver()
    await mail.deliver()
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/refused the connection.*no email can be sent/)
    const waiting = await listRows(site.db, 'mails')
    expect(waiting).toHaveLength(2)
    expect(waiting.every(({ nextAt }) => nextAt > new Date().toISOString())).toBe(true)
    await server.resume()
    await makeDue()
    // A new queue, as after a restart.
    await openMailing().deliver()
    await mail.deliver()
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
      [addressOf(ann), addressOf(bob)].sort(),
    )
    expect(await listRows(site.db, 'mails')).toEqual([])
  })

  test('is sent by one of two nodes', async () => {
    for (let asked = 0; asked < 3; asked++) await calls.ask(ann, 'email.sendVerification')
    await Promise.all([openMailing(), openMailing(), openMailing()].map((one) => one.deliver()))
    expect(server.to(addressOf(ann))).toHaveLength(3)
    expect(new Set(server.received.map(({ headers }) => headers['message-id'])).size).toBe(3)
  })

  test('asks again later where the server says so, with the same Message-ID and links that work', async () => {
    await forget(ann.username)
    server.refusals.message = '451 Try again later'
    await mail.deliver()
    expect(await listRows(site.db, 'mails')).toMatchObject([
      { attempts: 1, lastError: expect.stringContaining('451 Try again later') },
    ])
    const first = await readRow(site.db, 'passwordResets', { userId: ann.id })
    server.clear()
    await makeDue()
    await mail.deliver()
    expect(server.received).toHaveLength(1)
    const resets = await listRows(site.db, 'passwordResets', { userId: ann.id })
    expect(resets.map(({ tokenHash }) => tokenHash)).toContain(first.tokenHash)
  })

  test('does not send what was sent when the database cannot say so', async () => {
    await calls.ask(ann, 'email.sendVerification')
    await refuseDeletion(site.db, async () => {
      await mail.deliver().catch(() => {})
      expect(server.received).toHaveLength(1)
      expect(await listRows(site.db, 'mails')).toHaveLength(1)
    })
    await makeDue()
    await mail.deliver()
    expect(server.received).toHaveLength(1)
    expect(await listRows(site.db, 'mails')).toEqual([])
  })

  test('gives up after a day, with one line', async () => {
    await forget(ann.username)
    server.refusals.message = '451 Try again later'
    await changeRows(site.db, 'mails', { where: {}, values: { createdAt: LONG_AGO } })
    await mail.deliver()
    expect(await listRows(site.db, 'mails')).toEqual([])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('an email was given up')
  })

  test('has nothing that was being sent by a node that was killed until its time is over', async () => {
    await forget(ann.username)
    const nextAt = new Date(Date.now() + 60_000).toISOString()
    await changeRows(site.db, 'mails', { where: {}, values: { nextAt, attempts: 1 } })
    await mail.deliver()
    expect(server.received).toEqual([])
    await makeDue()
    await mail.deliver()
    expect(server.received).toHaveLength(1)
  })
})

longTest('email outlives the process that could not send it', async () => {
  await server.stop()
  const env = { SMTP_URL: server.url, MAIL_FROM: 'clips@example.org', PUBLIC_URL: ORIGIN }
  const first = await startServer({ env })
  try {
    const eve = await register(first.origin, 'eve')
    const read = async () => {
      const db = openDatabaseToRead(first.dataFolder)
      const rows = await listRows(db, 'mails', { userId: eve.id })
      await db.destroy()
      return rows
    }
    await until(async () => (await read())[0]?.lastError != null)
    await first.stop('SIGKILL')
    const db = openDatabase(first.dataFolder)
    await changeRows(db, 'mails', { where: {}, values: { nextAt: LONG_AGO } })
    await db.destroy()
    await server.resume()
    const { dataFolder } = first
    const second = await startServer({ dataFolder, env })
    await until(() => server.to('eve@example.org').length > 0)
    await until(async () => (await read()).length === 0)
    await second.stop()
    expect(server.to('eve@example.org')).toHaveLength(1)
  } finally {
    await first.remove()
  }
})

describe('a test by an admin', () => {
  const sendTest = async (config: MailConfig = server.config) => {
    const opened = await openTestSite({ publicUrl: ORIGIN, mail: config })
    try {
      const admin = await opened.addMember('admin', { isAdmin: true })
      const { refusal, call } = callsOf(opened)
      const answer = await call(admin, 'mail.sendTest')
      if (answer.statusCode === 200) return answer.json().result.data
      return await refusal(admin, 'mail.sendTest')
    } finally {
      await opened.close()
    }
  }

  test('arrives, or answers what the mail server says', async () => {
    expect(await sendTest({ ...server.config, ...MAIL_USER })).toEqual({
      address: 'admin@example.org',
    })
    expect(server.received[0]?.headers.subject).toBe('A test')
    const wrong = { ...server.config, user: 'clips', password: 'not it' }
    expect(await sendTest(wrong)).toMatch(/^422 .* refused the user name or password: 535/)
    server.refusals.sender = '550 Not from here'
    expect(await sendTest()).toMatch(
      /^422 .* refused the sender clips@example.org: 550 Not from here/,
    )
    server.clear()
    const tls = { ...server.config, security: 'starttls' as const }
    expect(await sendTest(tls)).toMatch(/^422 .* has no valid certificate/)
    await server.stop()
    expect(await sendTest()).toMatch(/^422 The mail server 127.0.0.1:\d+ refused the connection\.$/)
    await server.resume()
  })

  test('refuses a server without TLS, unless the setting says so', async () => {
    const plain = await startMailServer({ disabledCommands: ['STARTTLS'] })
    try {
      expect(await sendTest({ ...plain.config, security: 'starttls' as const })).toMatch(
        /^422 .* does not offer STARTTLS, and SMTP_URL does not end in \?tls=none/,
      )
      expect(plain.received).toEqual([])
    } finally {
      await plain.stop()
    }
  })
})
