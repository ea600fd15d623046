import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type {
  CreationOptions,
  RequestOptions,
  TimeCodeSetup,
} from '#shared/schemas/second-factor.schemas.ts'
import { makeAuthenticator } from '#test/support/authenticator.ts'
import { openJar } from '#test/support/cookie-jar.ts'
import { openTestNodes, type TestNodes } from '#test/support/test-nodes.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { enterStep, timeCodeOf } from '#test/support/time-codes.ts'
import { addMemberWithPassword, PASSWORD } from '#test/support/world.ts'

let nodes: TestNodes
let ann: TestMember
let round = 0
beforeAll(async () => {
  nodes = await openTestNodes({ processingJobs: 0, rateLimitScale: 1 })
})
beforeEach(async () => {
  await enterStep()
  ann = await addMemberWithPassword(nodes.one, `ann${++round}`)
})
afterAll(() => nodes.close())

async function setUpCodes() {
  const jar = openJar(nodes.one, ann.cookie)
  const { secret } = await jar.ask<TimeCodeSetup>('security.beginTimeCodes')
  jar.moveTo(nodes.other)
  await jar.ask('security.confirmTimeCodes', { code: timeCodeOf(secret, -1) })
  return secret
}

async function beginSignIn() {
  const jar = openJar(nodes.one)
  await jar.refusal('auth.login', { username: ann.username, password: PASSWORD })
  return jar
}

test('a sign-in begun at one node ends at another, and a code works at one of them', async () => {
  const secret = await setUpCodes()
  const code = timeCodeOf(secret)
  const jars = [await beginSignIn(), await beginSignIn()]
  jars[1]?.moveTo(nodes.other)
  const answers = await Promise.all(jars.map((jar) => jar.call('auth.finishSignIn', { code })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
  const winner = jars[answers.findIndex(({ statusCode }) => statusCode === 200)]
  winner?.moveTo(nodes.one)
  expect(await winner?.ask('auth.currentUser')).toMatchObject({ id: ann.id })
})

test('wrong codes at two nodes count together', async () => {
  await setUpCodes()
  const jar = await beginSignIn()
  const statuses: number[] = []
  for (let time = 0; time < 11; time++) {
    jar.moveTo(time % 2 ? nodes.one : nodes.other)
    statuses.push((await jar.call('auth.finishSignIn', { code: '000000' })).statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429])
})

test('the answer of a passkey counts at one of two nodes', async () => {
  const own = openJar(nodes.one, ann.cookie)
  const phone = makeAuthenticator()
  const creation = await own.ask<CreationOptions>('security.beginPasskey')
  own.moveTo(nodes.other)
  const passkey = phone.register(creation)
  await own.ask('security.addPasskey', { name: 'Phone', passkey })
  const jar = openJar(nodes.other)
  const answer = phone.answer(await jar.ask<RequestOptions>('auth.beginPasskeySignIn'))
  const twin = openJar(nodes.one)
  for (const [name, value] of jar.cookies) twin.cookies.set(name, value)
  const both = await Promise.all(
    [jar, twin].map((one) => one.call('auth.signInByPasskey', { passkey: answer })),
  )
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
})
