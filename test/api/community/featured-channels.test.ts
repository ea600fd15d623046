import { expect, test } from 'vitest'
import type { User } from '#shared/schemas/user.schemas.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann, bob, cleo } = setUpMembers(site, ['ann', 'bob', 'cleo'])

const { ask, call } = callsOf(site)
const add = (channel: TestMember) => ask(ann, 'featuredChannel.add', { channelId: channel.id })
const featured = async (as?: TestMember) =>
  (await ask<User[]>(as, 'featuredChannel.list', { id: ann.id })).map(({ username }) => username)

test('an owner features channels, moves them and takes them away', async () => {
  for (const channel of [bob, cleo, bob]) await add(channel)
  expect(await featured()).toEqual([bob.username, cleo.username])
  await ask(ann, 'featuredChannel.move', { channelId: cleo.id, toIndex: 0 })
  expect(await featured()).toEqual([cleo.username, bob.username])
  await ask(ann, 'featuredChannel.remove', { channelId: cleo.id })
  await ask(ann, 'featuredChannel.remove', { channelId: cleo.id })
  expect(await featured()).toEqual([bob.username])
  const move = await call(ann, 'featuredChannel.move', { channelId: cleo.id, toIndex: 0 })
  expectRefused(move, 404, 'Your channel does not feature this one.')
})

test('a channel features neither itself, nor what is not there, nor more than fifty', async () => {
  const itself = await call(ann, 'featuredChannel.add', { channelId: ann.id })
  expectRefused(itself, 400, 'A channel cannot feature itself.')
  const nobody = await call(ann, 'featuredChannel.add', { channelId: 999_999 })
  expectRefused(nobody, 404, 'There is no such channel.')
  for (let count = 0; count < 50; count++) await add(await site.addMember(`f${ann.id}-${count}`))
  const more = await call(ann, 'featuredChannel.add', { channelId: bob.id })
  expectRefused(more, 409, 'A channel features at most 50 others.')
})

test('visitors see whom they follow among them, without addresses', async () => {
  await add(bob)
  await ask(cleo, 'subscription.create', { channelId: bob.id })
  const [asked] = await ask<User[]>(cleo, 'featuredChannel.list', { id: ann.id })
  expect(asked).toMatchObject({ id: bob.id, subscriberCount: 1, isSubscribed: true })
  expect(asked).not.toHaveProperty('email')
  const [unasked] = await ask<User[]>(undefined, 'featuredChannel.list', { id: ann.id })
  expect(unasked).not.toHaveProperty('isSubscribed')
})

test('who is banned is not shown, and is again when the ban is lifted', async () => {
  await add(bob)
  await add(cleo)
  await ask(admin, 'moderation.ban', { userId: bob.id, reason: 'Rude' })
  expect(await featured(ann)).toEqual([cleo.username])
  await ask(ann, 'featuredChannel.move', { channelId: cleo.id, toIndex: 0 })
  await ask(admin, 'moderation.unban', { userId: bob.id })
  expect(await featured(ann)).toEqual([cleo.username, bob.username])
})

test('a member finds others by their names, without videos too, but none who is banned', async () => {
  const find = async (as: TestMember, q: string) =>
    (await ask<User[]>(as, 'search.members', { q })).map(({ username }) => username)
  await site.index()
  expect(await find(ann, `@${bob.username}`)).toEqual([bob.username])
  expect(await find(ann, '.')).toEqual([])
  await ask(admin, 'moderation.ban', { userId: bob.id, reason: 'Spam' })
  expect(await find(ann, bob.username)).toEqual([])
  expect(await find(admin, bob.username)).toEqual([])
})
