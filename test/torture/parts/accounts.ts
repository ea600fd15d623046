import { mkdir } from 'node:fs/promises'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createRandom } from '#tools/seed/random.ts'
import type { Figure, TortureInput, TorturePart, TortureResult } from '../part.ts'
import { type SiteProcess, startSiteProcess } from '../support/site-process.ts'

const ROUNDS = 300
const DIFFERENCE_MS = 10
/** More than wait for their password to be hashed. */
const FLOOD = 800
const ATTACKERS = 40
const GUESSES = 12
/** The last of the flood waits for all the others. */
const TIMEOUT_MS = 120_000
const PASSWORD = 'correct horse'

export const part: TorturePart = {
  name: 'accounts',
  description:
    'times logins of names that exist and names that do not, floods them, and guesses from many addresses',
  async run(input) {
    const failures: string[] = []
    const figures: Figure[] = []
    for (const [scale, tryOut] of [
      ['100000', timeLogins],
      ['100000', floodLogins],
      ['1', lockOut],
    ] as const) {
      const dataFolder = join(input.folder, tryOut.name)
      await mkdir(dataFolder)
      const env = { RATE_LIMIT_SCALE: scale, TRUSTED_PROXY: '127.0.0.1' }
      const server = await startSiteProcess({ dataFolder, env })
      if (!server.answered) throw new Error(`The site did not start: ${server.output.join('')}`)
      try {
        const result = await tryOut(server, input)
        figures.push(...result.figures)
        failures.push(...result.failures)
      } finally {
        await server.kill()
      }
    }
    return { figures, failures }
  },
}

type Login = { username: string; password: string; address?: string }

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

type Received = { status: number; text: string; headers: IncomingHttpHeaders }

/** @throws when there is no answer within two minutes */
function post(
  { origin }: SiteProcess,
  path: string,
  { body, headers }: { body: object; headers?: Record<string, string> },
): Promise<Received> {
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { 'content-type': 'application/json', 'content-length': bytes.length }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const options = { agent, method: 'POST', headers: { ...own, ...headers }, signal }
    const sending = request(origin + path, options, async (answer) => {
      const received = await text(answer).catch(reject)
      const { statusCode: status = 0, headers } = answer
      if (received !== undefined) resolve({ status, text: received, headers })
    })
    sending.on('error', reject).end(bytes)
  })
}

function logIn(server: SiteProcess, { username, password, address }: Login) {
  const headers: Record<string, string> = address ? { 'x-forwarded-for': address } : {}
  return post(server, '/api/login', { body: { username, password }, headers })
}

/** @returns the account's id and its cookie */
async function register(server: SiteProcess, username: string, setupCode?: string) {
  const email = `${username}@example.org`
  const account = { username, displayName: username, email, setupCode }
  const answer = await post(server, '/api/register', { body: { ...account, password: PASSWORD } })
  if (answer.status !== 201) throw new Error(`${username} could not register: ${answer.text}`)
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { id: (JSON.parse(answer.text) as { id: number }).id, cookie }
}

/** A member, one who is banned, one with a link to a new password, and nobody: in another order each round. */
async function timeLogins(server: SiteProcess, input: TortureInput): Promise<TortureResult> {
  const admin = await register(server, 'admin', await server.setupCode())
  const asAdmin = async (name: string, body: object) => {
    const { cookie } = admin
    const answer = await post(server, `/trpc/${name}`, { body, headers: { cookie } })
    admin.cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
  }
  await register(server, 'member')
  const banned = await register(server, 'banned')
  await asAdmin('moderation.ban', { userId: banned.id, reason: 'Spam' })
  const forgetful = await register(server, 'forgetful')
  await asAdmin('settings.confirmPassword', { password: PASSWORD })
  await asAdmin('member.resetPassword', { userId: forgetful.id })

  const names = ['member', 'MEMBER', 'banned', 'forgetful', 'nobody', 'no name at all']
  const times = new Map(names.map((name) => [name, [] as number[]]))
  const apart = new Map(names.map((name) => [name, [] as number[]]))
  const random = createRandom(input.seed, 'accounts')
  const failures: string[] = []
  const rounds = input.rounds ?? ROUNDS
  for (let round = 0; round < rounds; round++) {
    const took = new Map<string, number>()
    for (const name of names.toSorted(() => random.fraction() - 0.5)) {
      const began = performance.now()
      const { status, text } = await logIn(server, { username: name, password: 'wrong one' })
      took.set(name, performance.now() - began)
      const said = `${status} ${text}`
      if (said !== '401 Invalid username or password.') failures.push(`${name} heard ${said}`)
    }
    // Against the others of its round, so that a machine that is busy for a while slows all of them alike.
    const usual = median([...took.values()])
    for (const [name, time] of took) {
      times.get(name)?.push(time)
      apart.get(name)?.push(time - usual)
    }
  }
  const medians = names.map((name) => median(times.get(name) ?? []))
  const deviations = names.map((name) => median(apart.get(name) ?? []))
  const difference = Math.max(...deviations) - Math.min(...deviations)
  if (!(difference <= DIFFERENCE_MS)) {
    failures.push(`Logins of different names differ by ${difference.toFixed(1)} ms.`)
  }
  return {
    figures: [
      { what: 'failed logins timed', value: rounds * names.length },
      {
        what: 'largest difference between two of them, median, ms',
        value: difference,
        limit: `at most ${DIFFERENCE_MS}`,
      },
      ...names.map((name, index) => ({
        what: `login as '${name}', median, ms`,
        value: medians[index] ?? 0,
      })),
    ],
    failures,
  }
}

/** More logins at once than may wait, each with the right password: all are answered, and so is everybody else. */
async function floodLogins(server: SiteProcess): Promise<TortureResult> {
  await register(server, 'member')
  const logins = Array.from({ length: FLOOD }, () =>
    logIn(server, { username: 'member', password: PASSWORD }),
  )
  const [answers, health] = await Promise.all([
    Promise.all(logins),
    fetch(`${server.origin}/api/health`).then(({ status }) => status),
  ])
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  const failures: string[] = []
  const refusals = answers.filter(({ status }) => status === 429)
  const unplanned = FLOOD - count(200) - refusals.length
  if (unplanned > 0) failures.push(`${unplanned} logins were answered neither 200 nor 429.`)
  const isSaid = refusals.every(
    ({ text, headers }) => /^Too many/.test(text) && headers['retry-after'] !== undefined,
  )
  if (!isSaid) failures.push('A refusal does not say when to come back.')
  const after = await logIn(server, { username: 'member', password: PASSWORD })
  if (after.status !== 200) failures.push(`After the flood a login was answered ${after.status}.`)
  if (health !== 200) failures.push(`During the flood health was ${health}.`)
  return {
    figures: [
      {
        what: `logins at once: let in, and refused for now`,
        value: `${count(200)}, ${refusals.length}`,
      },
    ],
    failures,
  }
}

/** Guesses for one account from many addresses: none of them keeps its owner out. */
async function lockOut(server: SiteProcess): Promise<TortureResult> {
  await register(server, 'owner')
  const failures: string[] = []
  let [guesses, refused, ownLogins] = [0, 0, 0]
  for (let attacker = 0; attacker < ATTACKERS; attacker++) {
    const address = attacker % 2 ? `198.51.100.${attacker}` : `2001:db8:0:${attacker}::1`
    for (let guess = 0; guess < GUESSES; guess++) {
      const { status } = await logIn(server, {
        username: 'owner',
        password: `guess ${guess}`,
        address,
      })
      guesses++
      if (status === 429) refused++
      else if (status !== 401) failures.push(`A guess was answered ${status}.`)
    }
    const own = await logIn(server, {
      username: 'owner',
      password: PASSWORD,
      // From elsewhere each time: forty times within seconds from one address is too fast for everybody.
      address: `203.0.113.${attacker + 1}`,
    })
    if (own.status === 200) ownLogins++
  }
  if (ownLogins < ATTACKERS)
    failures.push(`The owner was locked out ${ATTACKERS - ownLogins} times.`)
  const least = ATTACKERS * (GUESSES - 10)
  if (refused < least) failures.push(`Only ${refused} of at least ${least} guesses were refused.`)
  return {
    figures: [
      { what: 'guesses at one account, and refused unheard', value: `${guesses}, ${refused}` },
      { what: 'logins of its owner meanwhile', value: ownLogins, limit: `${ATTACKERS}` },
    ],
    failures,
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
