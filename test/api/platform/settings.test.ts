import { spawn } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { readSecretFiles } from '#server/platform/environment.ts'
import { childEnvironment } from '#test/support/child-environment.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const DOCTOR = join(import.meta.dirname, '..', '..', '..', 'src', 'server', 'command', 'doctor.ts')
const folder = setUpFolder('settings')

/** Runs the doctor in the folder and returns its error output, which names the data folder that it would check. */
function doctor(env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: folder, env: { ...childEnvironment, ...env } }
  return text(spawn(process.execPath, [DOCTOR], options).stderr)
}

test('the file .env of the working folder holds settings, and the environment wins', async () => {
  await writeFile(
    join(folder, '.env'),
    '# where it lies\r\n\r\nexport DATA_DIR="in the file" # here\r\n',
  )
  expect(await doctor()).toContain(`no Clutch database in ${join(folder, 'in the file')}.`)
  expect(await doctor({ DATA_DIR: 'outside' })).toContain(`in ${join(folder, 'outside')}.`)
})

test('what is no setting in .env is refused by its line, and not shown', async () => {
  await writeFile(join(folder, '.env'), 'PORT=3000\nMETRICS_TOKEN top-secret\n')
  expect(await doctor()).toBe('Line 2 of the file .env must have the form NAME=value.\n')
})

test('an .env that is no file is refused', async () => {
  await rm(join(folder, '.env'))
  await mkdir(join(folder, '.env'))
  expect(await doctor()).toBe('.env must be a file that this account may read.\n')
})

test('a secret is read from the file that its _FILE names, without the end of the line', async () => {
  const path = join(folder, 'token')
  await writeFile(path, ' top-secret\n')
  expect(readSecretFiles({ TOKEN_FILE: path, OTHER_FILE: '/x' }, ['TOKEN', 'OWN'])).toMatchObject({
    TOKEN: 'top-secret',
    OTHER_FILE: '/x',
  })
})

test('a secret that is given twice or whose file has nothing to say stops the start', async () => {
  const empty = join(folder, 'empty')
  await writeFile(empty, '\n')
  const read = (env: Record<string, string>) => () => readConfig(env)
  expect(read({ METRICS_TOKEN: 'a', METRICS_TOKEN_FILE: empty })).toThrow(
    'Either METRICS_TOKEN or METRICS_TOKEN_FILE can be set, not both.',
  )
  for (const path of [empty, join(folder, 'none'), folder]) {
    expect(read({ METRICS_TOKEN_FILE: path })).toThrow(
      `METRICS_TOKEN_FILE must name a file with text that this account may read, but is '${path}'.`,
    )
  }
  expect(read({ METRICS_TOKEN: 'a'.repeat(16), METRICS_TOKEN_FILE: '' })).not.toThrow()
})

test('a symbolic link does not bring the data folder into the inbox, or the reverse', async () => {
  const data = join(folder, 'data')
  await mkdir(join(data, 'clips'), { recursive: true })
  await mkdir(join(folder, 'clips'))
  await symlink(join(data, 'clips'), join(folder, 'into'))
  await symlink(folder, join(folder, 'around'))
  const read = (name: string, path: string) => () =>
    readConfig({ DATA_DIR: data, [name]: join(folder, path) })
  for (const name of ['INBOX', 'IMPORT_FOLDERS']) {
    const sentence = `${name} must not contain DATA_DIR, nor a folder in it.`
    for (const path of ['into', 'into/later', 'around', 'data', '.']) {
      expect(read(name, path), path).toThrow(sentence)
    }
    expect(read(name, 'clips')).not.toThrow()
    expect(read(name, 'none')).not.toThrow()
  }
  await symlink(data, join(folder, 'link'))
  const linked = { DATA_DIR: join(folder, 'link'), INBOX: join(data, 'clips') }
  expect(() => readConfig(linked)).toThrow('INBOX must not contain DATA_DIR')
})

test('the mail server is read from its address, and what is wrong with it is named without it', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ PUBLIC_URL: 'https://a.example.org', ...env })
  const MAIL_FROM = 'Clips & more <clips@example.org>'
  const from = { name: 'Clips & more', address: 'clips@example.org' }
  const SMTP_URL = 'smtp://ann%40example.org:p%3Ass@mail.example.org'
  expect(read({ SMTP_URL, MAIL_FROM }).mail).toEqual({
    ...{ host: 'mail.example.org', port: 587, security: 'starttls' },
    ...{ user: 'ann@example.org', password: 'p:ss', from },
  })
  expect(read({ SMTP_URL: 'smtps://mail.example.org', MAIL_FROM }).mail).toMatchObject({
    ...{ port: 465, security: 'tls', user: undefined },
  })
  expect(
    read({ SMTP_URL: 'smtp://[::1]:25?tls=none', MAIL_FROM: 'a@localhost' }).mail,
  ).toMatchObject({
    ...{ host: '::1', port: 25, security: 'none', from: { name: undefined } },
  })
  expect(read({}).mail).toBeUndefined()
  const wrong = (env: Record<string, string>) => () => read(env)
  expect(wrong({ SMTP_URL })).toThrow('MAIL_FROM must be set because SMTP_URL is set.')
  expect(wrong({ MAIL_FROM })).toThrow('SMTP_URL must be set, since MAIL_FROM is.')
  for (const url of [
    'mail.example.org',
    'http://secret@x',
    'smtp://a:b@x/path',
    'smtp://a@x',
    'smtps://x?tls=none',
    'smtp://x?pool=true',
  ]) {
    expect(wrong({ SMTP_URL: url, MAIL_FROM })).toThrow(/^SMTP_URL must be smtps:.* without TLS\.$/)
  }
  for (const sender of [
    'nobody',
    'A <a@b.org>\r\nBcc: c@d.org',
    'a@b.org, c@d.org',
    'A <a@b.org> <c@d.org>',
  ]) {
    expect(wrong({ SMTP_URL, MAIL_FROM: sender })).toThrow(/^MAIL_FROM must be an address/)
  }
})

test('email is off without an address for its links, with a reason', () => {
  const given = { SMTP_URL: 'smtps://mail.example.org', MAIL_FROM: 'clips@example.org' }
  expect(readConfig(given)).toMatchObject({
    mail: undefined,
    mailProblem:
      'No email is sent: PUBLIC_URL must be set too, since links in email begin with it.',
  })
  expect(readConfig({ ...given, PUBLIC_URL: 'https://a.example.org' }).mailProblem).toBeUndefined()
})
