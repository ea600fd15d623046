import { beforeEach, describe, expect, test } from 'vitest'
import { tidySquads } from '#server/community/squad/squad.service.ts'
import { longWorks } from '#server/long-works.ts'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import { finishLongWork } from '#server/platform/long-work/long-work.service.ts'
import { NO_SUCH_CLIP } from '#server/video/clip/clip.service.ts'
import { insertCutVideo } from '#server/video/cut/cut.queries.ts'
import { endExpiredVideos } from '#server/video/expiry/expiry.service.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import type { HomeShelves, Tonight } from '#shared/schemas/home.schemas.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { Squad, SquadMember } from '#shared/schemas/squad.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { callsOf, expectRefused } from '#test/support/procedure-call.ts'
import { addRow, addRows } from '#test/support/rows.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { addMember, addVideos } from '#test/support/site-rows.ts'
import { storeFiles } from '#test/support/stored-files.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { until } from '#test/support/until.ts'
import { PASSWORD } from '#test/support/world.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { boss } = setUpMembers(site, ['boss'], { hasPassword: true })
const { ann, bob, cleo, stranger } = setUpMembers(site, ['ann', 'bob', 'cleo', 'stranger'])
const { ask, call } = callsOf(site)

let made = 0
let squad: Squad

const create = (as: TestMember, fields: object = {}) => {
  made++
  return ask<Squad>(as, 'squad.create', {
    ...{ name: 'Night Owls', tag: `T${made}`, colour: 'violet', emblem: 'moon', joining: 'open' },
    ...fields,
  })
}
const get = (as: TestMember, id = squad.id) => ask<Squad>(as, 'squad.get', { id })
const join = (as: TestMember, id = squad.id) => ask<Squad>(as, 'squad.join', { id })
const leave = (as: TestMember, id = squad.id) => ask(as, 'squad.leave', { id })
const members = async (as: TestMember = boss) =>
  (await ask<SquadMember[]>(as, 'squad.members', { id: squad.id })).map(
    ({ username, role }) => `${plainName(username)} ${role}`,
  )
/** Removes the number, because each test has its own members with a number in their names. */
const plainName = (name: string) => name.replaceAll(/\d+/g, '')
const inbox = async (as: TestMember) =>
  (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items.filter(
    ({ squadId }) => squadId === squad.id,
  )
const statusOf = async (as: TestMember, name: string, input: object) =>
  (await call(as, name, input)).statusCode
const settle = () => {
  const { db, live } = site.deps
  return finishLongWork({ db, live, closing: new AbortController().signal }, longWorks)
}
const addVideo = (owner: TestMember, title = 'For the squad') =>
  site.addVideo(owner, { title, visibility: 'private', squadId: squad.id })
const name = (id: number, member: TestMember) =>
  ask(boss, 'video.setNamedMembers', { id, usernames: [member.username] })
const opens = async (as: TestMember, id: number) => statusOf(as, 'video.get', { id })
const lists = async (as: TestMember, id: number) =>
  (await site.get('/api/videos', { as })).body.includes(`"id":${id},`)

beforeEach(async () => {
  squad = await create(boss)
})

describe('a squad', () => {
  test('is owned by its creator, and no other squad can have its tag in either case', async () => {
    expect(squad).toMatchObject({ name: 'Night Owls', myRole: 'owner', memberCount: 1 })
    expect(await members()).toEqual(['boss owner'])
    const other = { name: 'Others', colour: 'red', emblem: 'star', joining: 'open' }
    const again = await call(ann, 'squad.create', { ...other, tag: squad.tag.toLowerCase() })
    await expectRefused(again, 409, 'Another squad has this tag.')
    for (const tag of ['x', 'toolong', 'a b', 'ä1', '']) {
      expect(await statusOf(ann, 'squad.create', { ...other, tag })).toBe(400)
    }
    expect(await statusOf(ann, 'squad.create', { ...other, tag: 'okay', name: ' ' })).toBe(400)
    expect(await statusOf(ann, 'squad.create', { ...other, tag: 'okay', colour: 'gold' })).toBe(400)
  })

  test('that is open can be joined at once and left again', async () => {
    expect(await join(ann)).toMatchObject({ myRole: 'member', memberCount: 2 })
    expect(await join(ann)).toMatchObject({ memberCount: 2 })
    await leave(ann)
    expect(await get(ann)).toMatchObject({ myRole: null, memberCount: 1 })
    expect(await statusOf(ann, 'squad.leave', { id: squad.id })).toBe(409)
  })

  test('that is open does not take in again whom it removed, until a leader invites them', async () => {
    await join(ann)
    await ask(boss, 'squad.removeMember', { id: squad.id, userId: ann.id })
    const sentence = 'You were removed from this squad. Its owner or an officer can invite you.'
    expectRefused(await call(ann, 'squad.join', { id: squad.id }), 403, sentence)
    expect(await get(ann)).toMatchObject({ myRole: null, wasRemoved: true })
    expect(await get(bob)).toMatchObject({ wasRemoved: false })
    const offered = async (as: TestMember) =>
      (await ask<{ items: Squad[] }>(as, 'squad.list', { limit: 100 })).items.some(
        ({ id }) => id === squad.id,
      )
    expect([await offered(ann), await offered(bob)]).toEqual([false, true])
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    expect(await join(ann)).toMatchObject({ hasAsked: true })
    await ask(ann, 'squad.withdraw', { id: squad.id })
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'open' })
    await ask(boss, 'squad.invite', { id: squad.id, usernames: [ann.username] })
    expect(await join(ann)).toMatchObject({ myRole: 'member', wasRemoved: false })
    await leave(ann)
    expect(await join(ann)).toMatchObject({ myRole: 'member' })
  })

  test('that takes requests notifies its owner of them, and the member of the answer', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    expect(await join(ann)).toMatchObject({ myRole: null, hasAsked: true })
    await join(ann)
    expect(await inbox(boss)).toMatchObject([{ title: `${ann.username} asks to join Night Owls` }])
    expect(await get(boss)).toMatchObject({ requestCount: 1 })
    expect(await statusOf(bob, 'squad.requests', { id: squad.id })).toBe(403)
    const answer = { id: squad.id, userId: ann.id, accepts: true }
    expect(await statusOf(bob, 'squad.answer', answer)).toBe(403)
    await ask(boss, 'squad.answer', answer)
    expect(await inbox(boss)).toEqual([])
    expect(await inbox(ann)).toMatchObject([{ title: 'You are in Night Owls', squadId: squad.id }])
    expect(await members()).toEqual(['boss owner', 'ann member'])
    expect(await statusOf(boss, 'squad.answer', answer)).toBe(404)

    await join(bob)
    await ask(bob, 'squad.withdraw', { id: squad.id })
    expect(await inbox(boss)).toEqual([])
    await join(bob)
    await ask(boss, 'squad.answer', { ...answer, userId: bob.id, accepts: false })
    expect(await members()).toEqual(['boss owner', 'ann member'])
    expect(await get(bob)).toMatchObject({ hasAsked: false, myRole: null })
  })

  test('notifies of the same request or invitation three times a day at most', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    const told: number[] = []
    for (let time = 1; time <= 4; time += 1) {
      await join(ann)
      await ask(boss, 'squad.invite', { id: squad.id, usernames: [bob.username] })
      told.push((await inbox(boss)).length, (await inbox(bob)).length)
      expect(await get(boss)).toMatchObject({ requestCount: 1 })
      await ask(ann, 'squad.withdraw', { id: squad.id })
      await ask(bob, 'squad.withdraw', { id: squad.id })
    }
    expect(told).toEqual([1, 1, 1, 1, 1, 1, 0, 0])
    // Others are not affected.
    await join(cleo)
    expect(await inbox(boss)).toMatchObject([{ title: `${cleo.username} asks to join Night Owls` }])
  })

  test('sends no notifications to members who turned off those of squads', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    await ask(boss, 'notification.choose', { kind: 'squads', place: 'none' })
    await ask(ann, 'notification.choose', { kind: 'squads', place: 'none' })
    await join(ann)
    await ask(boss, 'squad.answer', { id: squad.id, userId: ann.id, accepts: true })
    await ask(bob, 'notification.choose', { kind: 'squads', place: 'none' })
    await ask(boss, 'squad.invite', { id: squad.id, usernames: [bob.username] })
    for (const member of [boss, ann, bob]) expect(await inbox(member)).toEqual([])
    expect(await members()).toEqual(['boss owner', 'ann member'])
  })

  test('that invites its members is hidden from everybody who is not invited', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'invite' })
    for (const as of [ann, bob]) expect(await statusOf(as, 'squad.get', { id: squad.id })).toBe(404)
    expect(await statusOf(ann, 'squad.join', { id: squad.id })).toBe(404)
    const squads = await ask<{ items: Squad[] }>(ann, 'squad.list', {})
    expect(squads.items.map(({ id }) => id)).not.toContain(squad.id)
    await ask(boss, 'squad.invite', { id: squad.id, usernames: [ann.username.toUpperCase()] })
    expect(await inbox(ann)).toMatchObject([
      { title: `${boss.username} invites you to Night Owls` },
    ])
    expect((await ask<{ invitedTo: Squad[] }>(ann, 'squad.mine')).invitedTo).toMatchObject([
      { id: squad.id },
    ])
    await ask(boss, 'squad.withdrawInvite', { id: squad.id, userId: ann.id })
    expect(await statusOf(ann, 'squad.get', { id: squad.id })).toBe(404)
    expect(await inbox(ann)).toEqual([])
    await ask(boss, 'squad.invite', { id: squad.id, usernames: [ann.username] })
    expect(await join(ann)).toMatchObject({ myRole: 'member', isInvited: false })
    // Ann's channel shows the squad only to those who may know of it.
    const marks = (as: TestMember) => ask<Squad[]>(as, 'squad.ofMember', { id: ann.id })
    expect((await marks(boss)).map(({ id }) => id)).toEqual([squad.id])
    expect(await marks(bob)).toEqual([])
    const unknown = await call(boss, 'squad.invite', { id: squad.id, usernames: ['nobody'] })
    await expectRefused(unknown, 400, 'There is nobody here with the name @nobody.')
  })

  test('clears the notifications of an invitation that is declined or accepted', async () => {
    const titles = async (as: TestMember) => (await inbox(as)).map(({ title }) => title)
    const invite = () => ask(boss, 'squad.invite', { id: squad.id, usernames: [ann.username] })
    await invite()
    expect(await titles(ann)).toEqual([`${boss.username} invites you to Night Owls`])
    await ask(ann, 'squad.withdraw', { id: squad.id })
    expect(await titles(ann)).toEqual([])
    await invite()
    await join(ann)
    expect(await titles(ann)).toEqual([])
    await leave(ann)
    await join(ann)
    expect(await titles(ann)).toEqual([])
  })

  test('takes in at once whoever is invited after asking, and clears the request', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    await join(ann)
    await join(bob)
    expect(await inbox(boss)).toHaveLength(2)
    const usernames = [ann.username, bob.username, cleo.username]
    await ask(boss, 'squad.invite', { id: squad.id, usernames })
    expect(await members()).toEqual(['boss owner', 'ann member', 'bob member'])
    expect(await get(boss)).toMatchObject({ memberCount: 3, requestCount: 0 })
    expect(await get(ann)).toMatchObject({ isInvited: false, hasAsked: false })
    expect(await get(cleo)).toMatchObject({ isInvited: true, myRole: null })
    expect(await inbox(boss)).toEqual([])
    expect(await inbox(ann)).toMatchObject([
      { title: 'You are in Night Owls', message: `${boss.username} accepted your request.` },
    ])
    expect(await inbox(cleo)).toHaveLength(1)
  })

  test('clears a request also when the member joins in another way', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    await join(ann)
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'open' })
    await join(ann)
    expect(await inbox(boss)).toEqual([])
    expect(await get(boss)).toMatchObject({ requestCount: 0, memberCount: 2 })
  })

  test('notifies members who become officer or owner or are removed', async () => {
    for (const as of [ann, bob, cleo]) await join(as)
    const texts = async (as: TestMember) =>
      (await inbox(as)).map(({ title, message }) => `${title}: ${message}`)
    const setRole = (role: string) =>
      ask(boss, 'squad.setRole', { id: squad.id, userId: ann.id, role })
    await setRole('officer')
    await setRole('officer')
    const promoted = `You are an officer of Night Owls: ${boss.username} made you one.`
    expect(await texts(ann)).toEqual([promoted])
    await ask(boss, 'squad.handOver', { id: squad.id, userId: bob.id })
    const given = `You own Night Owls now: ${boss.username} handed it over to you.`
    expect(await texts(bob)).toEqual([given])
    await ask(bob, 'squad.removeMember', { id: squad.id, userId: cleo.id })
    expect(await texts(cleo)).toEqual([
      'You were removed from Night Owls: Your videos stay with it until you change who can watch them.',
    ])
    await leave(bob)
    const inherited = 'You own Night Owls now: The owner before left the squad.'
    // The new owner is the officer who joined the squad first, in this case its first owner.
    expect(await texts(boss)).toEqual([inherited])
    expect(await texts(ann)).toEqual([promoted])
    // A request of a former officer clears nothing but the requests of that officer.
    await leave(boss)
    expect(await texts(ann)).toEqual([inherited, promoted])
    await ask(ann, 'squad.edit', { id: squad.id, joining: 'request' })
    await join(boss)
    await ask(boss, 'squad.withdraw', { id: squad.id })
    expect(await texts(ann)).toEqual([inherited, promoted])
  })

  test('lets its owner and officers do only what their roles allow', async () => {
    for (const as of [ann, bob, cleo]) await join(as)
    const role = (as: TestMember, of: TestMember, to: string) =>
      statusOf(as, 'squad.setRole', { id: squad.id, userId: of.id, role: to })
    const remove = (as: TestMember, of: TestMember) =>
      statusOf(as, 'squad.removeMember', { id: squad.id, userId: of.id })
    expect(await role(ann, ann, 'officer')).toBe(403)
    expect(await role(boss, ann, 'officer')).toBe(200)
    expect(await role(boss, bob, 'officer')).toBe(200)
    expect(await role(boss, boss, 'member')).toBe(409)
    expect(await role(boss, stranger, 'officer')).toBe(404)
    expect(await statusOf(cleo, 'squad.edit', { id: squad.id, name: 'Mine' })).toBe(403)
    expect(await statusOf(ann, 'squad.edit', { id: squad.id, name: 'Ours' })).toBe(200)
    expect(await remove(ann, bob)).toBe(403)
    expect(await remove(ann, boss)).toBe(403)
    expect(await remove(ann, ann)).toBe(400)
    expect(await remove(ann, cleo)).toBe(200)
    expect(await remove(ann, cleo)).toBe(404)
    expect(await statusOf(ann, 'squad.delete', { id: squad.id })).toBe(403)
    expect(await statusOf(ann, 'squad.handOver', { id: squad.id, userId: bob.id })).toBe(403)
    expect(await statusOf(boss, 'squad.handOver', { id: squad.id, userId: bob.id })).toBe(200)
    expect(await members()).toEqual(['bob owner', 'boss officer', 'ann officer'])
  })

  test('that has been changed since it was loaded is not overwritten', async () => {
    await ask(boss, 'squad.edit', { id: squad.id, name: 'Day Owls' })
    const change = { id: squad.id, name: 'Dawn Owls', was: { name: 'Night Owls' } }
    expect(await statusOf(boss, 'squad.edit', change)).toBe(409)
  })
})

describe('the owner of a squad', () => {
  test('is replaced by the officer, or else the member, of longest standing after leaving', async () => {
    for (const as of [ann, bob, cleo]) await join(as)
    await ask(boss, 'squad.setRole', { id: squad.id, userId: cleo.id, role: 'officer' })
    await leave(boss)
    expect(await members(ann)).toEqual(['cleo owner', 'ann member', 'bob member'])
    await leave(cleo)
    expect(await members(ann)).toEqual(['ann owner', 'bob member'])
  })

  test('deletes the squad by leaving as its last member, and the tag can be used again', async () => {
    const { tag } = squad
    await leave(boss)
    expect(await statusOf(boss, 'squad.get', { id: squad.id })).toBe(404)
    await settle()
    const again = await create(ann, { tag })
    expect(again.tag).toBe(tag)
  })

  test('is replaced at once when banned, and a banned officer is removed', async () => {
    const owner = await site.addMember(`owner${made}`)
    const officer = await site.addMember(`officer${made}`)
    squad = await create(owner)
    for (const as of [officer, ann, bob]) await join(as)
    await ask(owner, 'squad.setRole', { id: squad.id, userId: officer.id, role: 'officer' })
    const ban = (userId: number) =>
      ask(admin, 'moderation.ban', { userId, reason: 'Spam', deletesContent: false })
    await ban(officer.id)
    expect(await members(ann)).toEqual(['owner owner', 'ann member', 'bob member'])
    await ban(owner.id)
    expect(await members(ann)).toEqual(['ann owner', 'bob member'])
    await ask(admin, 'moderation.unban', { userId: owner.id })
    expect(await members(ann)).toEqual(['ann owner', 'bob member'])
  })

  test('keeps a squad without other members while they are banned, for 30 days', async () => {
    const owner = await site.addMember(`alone${made}`)
    squad = await create(owner)
    const id = await addVideo(owner, 'Kept')
    const ban = { userId: owner.id, reason: 'Spam', deletesContent: false }
    const isListed = async () =>
      (await ask<{ items: Squad[] }>(ann, 'squad.list', { limit: 100 })).items.some(
        (one) => one.id === squad.id,
      )
    expect(await isListed()).toBe(true)
    await ask(admin, 'moderation.ban', ban)
    await settle()
    await tidySquads(site.db)
    expect(await isListed()).toBe(false)
    expect(await get(ann)).toMatchObject({ memberCount: 0 })
    const sentence = 'Nobody is in this squad at the moment.'
    expectRefused(await call(ann, 'squad.join', { id: squad.id }), 409, sentence)
    await ask(admin, 'moderation.unban', { userId: owner.id })
    expect(await get(ann)).toMatchObject({ memberCount: 1 })
    expect(await members(ann)).toEqual([`alone owner`])
    await ask(admin, 'moderation.ban', ban)
    await tidySquads(site.db, new Date(Date.now() + 31 * 86_400_000))
    await settle()
    expect(await statusOf(admin, 'squad.get', { id: squad.id })).toBe(404)
    await ask(admin, 'moderation.unban', { userId: owner.id })
    expect(await ask<Video>(admin, 'video.get', { id })).toMatchObject({ squad: null })
  })

  test('is replaced after deleting their account', async () => {
    const owner = await site.addMember(`leaver${made}`, {
      passwordHash: await hashOf(),
    })
    squad = await create(owner)
    await join(ann)
    await ask(owner, 'settings.deleteAccount', { password: PASSWORD })
    expect(await members(ann)).toEqual(['ann owner'])
    expect(await get(ann)).toMatchObject({ memberCount: 1 })
  })

  test('is appointed if a squad has none, and a squad without members is deleted', async () => {
    await join(ann)
    await join(bob)
    await site.db
      .deleteFrom('squadMembers')
      .where('squadId', '=', squad.id)
      .where('userId', '=', boss.id)
      .execute()
    const empty = await create(cleo)
    await site.db.deleteFrom('squadMembers').where('squadId', '=', empty.id).execute()
    await tidySquads(site.db)
    expect(await members(ann)).toEqual(['ann owner', 'bob member'])
    expect(await statusOf(admin, 'squad.get', { id: empty.id })).toBe(404)
  })
})

describe('a video for a squad', () => {
  test('is visible only to its members, until they leave or are removed', async () => {
    await join(ann)
    const id = await addVideo(boss)
    const seen = async (as: TestMember) => [await opens(as, id), await lists(as, id)]
    expect(await seen(boss)).toEqual([200, true])
    expect(await seen(ann)).toEqual([200, true])
    expect(await seen(stranger)).toEqual([404, false])
    expect((await site.get(`/api/videos/${id}`)).statusCode).toBe(404)
    expect(await seen(admin)).toEqual([200, false])
    await leave(ann)
    expect(await seen(ann)).toEqual([404, false])
    await join(ann)
    expect(await seen(ann)).toEqual([200, true])
    await ask(boss, 'squad.removeMember', { id: squad.id, userId: ann.id })
    expect(await seen(ann)).toEqual([404, false])
  })

  test("names its squad, and has the visibility 'private' for clients that know no squads", async () => {
    await join(ann)
    const id = await addVideo(boss)
    const { name, tag, colour, emblem } = squad
    expect(await ask<Video>(ann, 'video.get', { id })).toMatchObject({
      visibility: 'private',
      squad: { id: squad.id, name, tag, colour, emblem },
    })
  })

  test('is hidden from members who were named while it was private', async () => {
    const id = await site.addVideo(boss, { visibility: 'private' })
    await site.db.insertInto('videoMembers').values({ videoId: id, userId: bob.id }).execute()
    expect(await opens(bob, id)).toBe(200)
    await ask(boss, 'video.edit', { id, squadId: squad.id })
    expect(await opens(bob, id)).toBe(404)
    await ask(boss, 'squad.delete', { id: squad.id })
    await settle()
    expect([await opens(bob, id), await opens(boss, id)]).toEqual([404, 200])
  })

  test('stays hidden from members named before, in whatever way it leaves the squad', async () => {
    const giving: ((id: number) => Promise<unknown>)[] = [
      (id) => ask(boss, 'video.edit', { id, squadId: squad.id }),
      (id) => ask(boss, 'video.editMany', { ids: [id], squadId: squad.id }),
    ]
    const past = new Date(Date.now() - 1000).toISOString()
    const leaving: ((id: number) => Promise<unknown>)[] = [
      (id) => ask(boss, 'video.edit', { id, squadId: null }),
      (id) => ask(boss, 'video.edit', { id, visibility: 'private' }),
      (id) => ask(boss, 'video.editMany', { ids: [id], visibility: 'private' }),
      async (id) => {
        const expiry = { expiresAt: past, expiryAction: 'private', expiryNoticedAt: past } as const
        await site.db.updateTable('videos').set(expiry).where('id', '=', id).execute()
        await endExpiredVideos(site.deps)
      },
    ]
    const ids: number[] = []
    for (const give of giving) {
      for (const leaveSquad of leaving) {
        const id = await site.addVideo(boss, { visibility: 'private' })
        await name(id, bob)
        expect(await opens(bob, id)).toBe(200)
        await give(id)
        await leaveSquad(id)
        const { visibility, squad: of } = await ask<Video>(boss, 'video.get', { id })
        expect([visibility, of, await opens(bob, id)]).toEqual(['private', null, 404])
        ids.push(id)
      }
    }
    // Members named after it left the squad see it again.
    const [id = 0] = ids
    await name(id, bob)
    expect(await opens(bob, id)).toBe(200)
  })

  test('cannot be shown to named members as well, not even once it has left the squad', async () => {
    const id = await addVideo(boss)
    const named = { id, usernames: [bob.username] }
    await expectRefused(
      await call(boss, 'video.setNamedMembers', named),
      409,
      'This video is for a squad. Make it private before you name members.',
    )
    await ask(boss, 'video.edit', { id, visibility: 'private' })
    expect(await opens(bob, id)).toBe(404)
  })

  test('can be made only by its owner, who must be a member of the squad', async () => {
    await join(ann)
    const id = await site.addVideo(boss)
    const edit = (as: TestMember, change: object) => statusOf(as, 'video.edit', { id, ...change })
    const level = async () => {
      const { visibility, squad: of } = await ask<Video>(boss, 'video.get', { id })
      return `${visibility} ${of?.id === squad.id}`
    }
    const foreign = await create(cleo)
    expect(await edit(boss, { squadId: foreign.id })).toBe(400)
    expect(await edit(boss, { squadId: 999_999 })).toBe(400)
    expect(await edit(boss, { squadId: squad.id, visibility: 'public' })).toBe(400)
    expect(await edit(ann, { squadId: squad.id })).toBe(403)
    expect(await level()).toBe('public false')
    expect(await edit(boss, { squadId: squad.id })).toBe(200)
    expect(await level()).toBe('private true')
    expect(await edit(boss, { title: 'Another title' })).toBe(200)
    expect(await level()).toBe('private true')
    // A client that does not know squads sends only the visibility.
    expect(await edit(boss, { visibility: 'private' })).toBe(200)
    expect(await level()).toBe('private false')
    expect(await edit(boss, { squadId: squad.id })).toBe(200)
    expect(await edit(boss, { visibility: 'members' })).toBe(200)
    expect(await level()).toBe('members false')
    const bulk = await ask(boss, 'video.editMany', { ids: [id], squadId: squad.id })
    expect(bulk).toMatchObject({ done: [id] })
    expect(await level()).toBe('private true')
    const was = { visibility: 'private', squadId: squad.id }
    expect(await edit(boss, { squadId: null, was })).toBe(200)
    expect(await edit(boss, { squadId: squad.id, was: { squadId: foreign.id } })).toBe(409)
  })

  test('notifies only followers who are members of the squad', async () => {
    await join(ann)
    for (const { id: subscriberId } of [ann, bob]) {
      const row = { subscriberId, channelId: boss.id, subscribedAt: new Date().toISOString() }
      await site.db
        .insertInto('subscriptions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    const id = await site.addVideo(boss, { title: 'Told', visibility: 'private' })
    const told = async (as: TestMember) =>
      (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items.filter(
        ({ videoId }) => videoId === id,
      ).length
    await ask(boss, 'video.edit', { id, squadId: squad.id })
    await settle()
    expect([await told(ann), await told(bob)]).toEqual([1, 0])
    const rows = await site.db
      .selectFrom('notifications')
      .select('userId')
      .where('videoId', '=', id)
      .execute()
    expect(rows).toEqual([{ userId: ann.id }])
    await leave(ann)
    expect(await told(ann)).toBe(0)
  })

  test('notifies followers in the new squad when it moves to another one', async () => {
    const other = await create(boss)
    await join(ann)
    for (const as of [bob, cleo]) await join(as, other.id)
    for (const { id: subscriberId } of [ann, bob, stranger]) {
      const row = { subscriberId, channelId: boss.id, subscribedAt: new Date().toISOString() }
      await site.db.insertInto('subscriptions').values(row).execute()
    }
    const id = await site.addVideo(boss, { title: 'Moved', visibility: 'private' })
    const told = async () => {
      await settle()
      const rows = await site.db
        .selectFrom('notifications')
        .select('userId')
        .where('videoId', '=', id)
        .execute()
      return rows.map(({ userId }) => userId)
    }
    await ask(boss, 'video.edit', { id, squadId: squad.id })
    expect(await told()).toEqual([ann.id])
    await ask(boss, 'video.edit', { id, squadId: other.id })
    // Cleo is notified as a member, not as a subscriber.
    expect(await told()).toEqual([bob.id, cleo.id])
    await ask(boss, 'video.edit', { id, squadId: other.id, title: 'Renamed' })
    expect(await told()).toEqual([bob.id, cleo.id])
  })

  test('becomes private when the owner of the squad or an admin deletes the squad', async () => {
    await join(ann)
    const ids: number[] = []
    for (let at = 0; at < 250; at++) ids.push(await addVideo(boss))
    const [id = 0] = ids
    expect(await statusOf(ann, 'squad.delete', { id: squad.id })).toBe(403)
    await ask(boss, 'squad.delete', { id: squad.id })
    const seen = async () => {
      const { visibility, squad: of } = await ask<Video>(boss, 'video.get', { id: ids.at(-1) })
      return [visibility, of, await opens(ann, id), await lists(ann, id)]
    }
    expect(await seen()).toEqual(['private', null, 404, false])
    await settle()
    expect(await seen()).toEqual(['private', null, 404, false])
    const left = await site.db
      .selectFrom('squads')
      .select('id')
      .where('id', '=', squad.id)
      .execute()
    expect(left).toEqual([])
    const second = await create(boss)
    await ask(admin, 'squad.delete', { id: second.id })
    expect(await statusOf(boss, 'squad.get', { id: second.id })).toBe(404)
  })

  test('serves its files only to members of the squad, until the squad is deleted', async () => {
    await join(ann)
    const mediaKey = crypto.randomUUID().replaceAll('-', '')
    const url = `/media/${mediaKey}/video.mp4`
    const level = { visibility: 'private', squadId: squad.id } as const
    const videoId = await site.addVideo(boss, { mediaKey, videoUrl: url, ...level })
    await storeFiles(site, mediaKey, { 'video.mp4': 'the bytes' })
    const file = { videoId, name: 'video.mp4', kind: 'video', bytes: 9 } as const
    await site.db.insertInto('mediaFiles').values(file).execute()
    const fetch = async (as: TestMember) => {
      const { statusCode, headers } = await site.get(url, { as })
      return `${statusCode} ${headers['cache-control']}`
    }
    expect(await fetch(ann)).toBe('200 private, no-cache')
    expect(await fetch(stranger)).toMatch(/^404/)
    await ask(boss, 'squad.delete', { id: squad.id })
    expect(await fetch(ann)).toMatch(/^404/)
    expect(await fetch(boss)).toMatch(/^200/)
  })

  test('passes its squad to cuts that its owner makes, and not to cuts of others', async () => {
    await join(ann)
    const sourceId = await addVideo(boss)
    const cut = async (userId: number, isHidden = false) => {
      const texts = { title: 'A cut', description: '', duration: 5 }
      const id = await inTransaction(site.db, (transaction) =>
        insertCutVideo(transaction, { sourceId, userId, ...texts, isHidden, asUpload: null }),
      )
      const row = await site.db
        .selectFrom('videos')
        .select(['visibility', 'squadId'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return [row.visibility, row.squadId]
    }
    expect(await cut(boss.id)).toEqual(['private', squad.id])
    expect(await cut(boss.id, true)).toEqual(['private', null])
    expect(await cut(ann.id)).toEqual(['private', null])
    await leave(boss)
    expect(await cut(boss.id)).toEqual(['private', null])
  })

  test('can be taken out by leaders, which makes it private to its owner, who is notified', async () => {
    for (const as of [ann, bob]) await join(as)
    const other = await create(boss)
    const id = await addVideo(ann, 'Not for us')
    await ask(boss, 'squad.setRole', { id: squad.id, userId: bob.id, role: 'officer' })
    const takeOut = (as: TestMember, videoId: number, of = squad.id) =>
      call(as, 'squad.removeVideo', { id: of, videoId })
    expect((await takeOut(cleo, id)).statusCode).toBe(403)
    expect((await takeOut(ann, id)).statusCode).toBe(403)
    await expectRefused(await takeOut(boss, id, other.id), 404, 'This video is not for the squad.')
    const foreign = await site.addVideo(ann, { visibility: 'private' })
    expect((await takeOut(boss, foreign)).statusCode).toBe(404)
    expect((await takeOut(bob, id)).statusCode).toBe(200)
    expect([await opens(boss, id), await opens(bob, id), await opens(ann, id)]).toEqual([
      404, 404, 200,
    ])
    expect(await ask<Video>(ann, 'video.get', { id })).toMatchObject({
      visibility: 'private',
      squad: null,
    })
    const told = (await ask<{ items: Notification[] }>(ann, 'notification.list', {})).items
    expect(told.filter(({ videoId }) => videoId === id)).toMatchObject([
      {
        title: `${bob.username} took your video out of Night Owls`,
        message: '"Not for us" is private now: only you see it.',
      },
    ])
    expect((await takeOut(bob, id)).statusCode).toBe(404)
  })

  test('is on the page of its squad, as are clips, posts and videos that members loved', async () => {
    await join(ann)
    const id = await addVideo(boss, 'Ours')
    const open = await site.addVideo(bob, { title: 'Everybody’s' })
    const now = new Date().toISOString()
    const clip = { videoId: id, userId: ann.id, title: 'The ace', foldedTitle: 'the ace' }
    await site.db
      .insertInto('clips')
      .values({ ...clip, startSeconds: 0, endSeconds: 5, createdAt: now })
      .execute()
    for (const videoId of [id, open]) {
      await ask(ann, 'like.set', { videoId, isLike: true }).catch(() => {})
      await site.db
        .insertInto('likes')
        .values({ videoId, userId: ann.id, isLike: 1, createdAt: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    await ask(ann, 'post.create', { content: 'For all' })
    await ask(ann, 'post.create', { content: 'For us', squadId: squad.id })
    type Texts = { items: { title?: string; content?: string }[] }
    const read = async (as: TestMember, name: string) =>
      (await ask<Texts>(as, `squad.${name}`, { id: squad.id })).items.map(
        ({ title, content }) => title ?? content,
      )
    const loved = async (as: TestMember) =>
      (await ask<Video[]>(as, 'squad.loved', { id: squad.id })).map(({ title }) => title)
    expect(await read(ann, 'videos')).toEqual(['Ours'])
    expect(await read(ann, 'clips')).toEqual(['The ace'])
    expect(await read(ann, 'posts')).toEqual(['For us', 'For all'])
    expect((await loved(boss)).toSorted()).toEqual(['Everybody’s', 'Ours'])
    expect(await read(stranger, 'videos')).toEqual([])
    expect(await read(stranger, 'clips')).toEqual([])
    expect(await read(stranger, 'posts')).toEqual(['For all'])
    expect(await loved(stranger)).toEqual([])
  })
})

describe('a squad video in search, rankings and uploads', () => {
  const find = async (as: TestMember, query: string) => {
    const asked = Object.fromEntries(new URLSearchParams(query))
    type Found = { items: Video[]; total: number }
    const { items, total } = await ask<Found>(as, 'search.videos', asked)
    return { titles: items.map(({ title }) => title), total }
  }

  test('is found by members of the squad, in the right order and on the right page', async () => {
    await join(ann)
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
    const word = `griffin${made}`
    for (let n = 0; n < 6; n++) {
      const fields = { publishedAt: at(n), viewCount: n, foldedTitle: `${word} ${n}` }
      const squads = n % 2 === 1 && { visibility: 'private' as const, squadId: squad.id }
      await site.addVideo(boss, { title: `${word} ${n}`, ...fields, ...squads })
    }
    const all = [5, 4, 3, 2, 1, 0].map((n) => `${word} ${n}`)
    const open = [4, 2, 0].map((n) => `${word} ${n}`)
    expect(await find(stranger, `q=${word}`)).toEqual({ titles: open, total: 3 })
    for (const sort of ['date', 'views']) {
      expect(await find(stranger, `q=${word}&sort=${sort}`)).toEqual({ titles: open, total: 3 })
      expect(await find(ann, `q=${word}&sort=${sort}`)).toEqual({ titles: all, total: 6 })
      for (let n = 1; n < 6; n++) {
        const page = await find(ann, `q=${word}&sort=${sort}&limit=1&cursor=${n}`)
        expect([sort, n, page]).toEqual([sort, n, { titles: [all[n]], total: 6 }])
      }
    }
    const found: string[] = []
    for (const cursor of ['', '&cursor=2', '&cursor=4']) {
      found.push(...(await find(ann, `q=${word}&limit=2${cursor}`)).titles)
    }
    expect(found).toEqual([5, 3, 1, 4, 2, 0].map((n) => `${word} ${n}`))
    const suggest = async (as: TestMember) =>
      JSON.stringify(await ask(as, 'search.suggest', { q: word }))
    expect(await suggest(ann)).toContain(`${word} 5`)
    expect(await suggest(stranger)).not.toContain(`${word} 5`)
  })

  test('is ranked among trending videos for members of the squad', async () => {
    await join(ann)
    const now = new Date().toISOString()
    const day = now.slice(0, 10)
    const add = async (title: string, count: number, own: boolean) => {
      const level = own && { visibility: 'private' as const, squadId: squad.id }
      const videoId = await site.addVideo(boss, { title, category: 'CS2', ...level })
      await site.db.insertInto('dailyViews').values({ videoId, day, count }).execute()
    }
    await add('Most', 90_000, false)
    await add('Ours', 80_000, true)
    await add('Least', 70_000, false)
    const trending = async (as: TestMember) =>
      (await ask<Video[]>(as, 'explore.trending', { category: 'CS2' }))
        .map(({ title }) => title)
        .slice(0, 3)
    expect(await trending(ann)).toEqual(['Most', 'Ours', 'Least'])
    expect((await trending(stranger)).slice(0, 2)).toEqual(['Most', 'Least'])
  })

  test('is never what plays by itself at the top of the home page', async () => {
    await join(ann)
    const open = await site.addVideo(cleo, { title: 'For all' })
    const ours = await addVideo(boss, 'Ours')
    const createdAt = new Date().toISOString()
    const like = (videoId: number, by: TestMember) => {
      const row = { videoId, userId: by.id, isLike: 1, createdAt } as const
      return site.db.insertInto('likes').values(row).execute()
    }
    await like(open, bob)
    for (const by of [ann, bob, cleo, stranger]) await like(ours, by)
    for (const as of [ann, boss]) {
      const loved = (await ask<HomeShelves>(as, 'home.shelves')).loved
      expect(loved[0]).toMatchObject({ id: ours })
      const tonight = await ask<Tonight | null>(as, 'home.tonight')
      expect(tonight).toMatchObject({ kind: 'video', video: { squad: null } })
    }
  })

  test('has its squad from the start of the upload, if the uploader is a member', async () => {
    const foreign = await create(cleo)
    const open = (squadId: number, more: object = {}) =>
      site.post('/api/uploads/initialize', {
        as: boss,
        payload: {
          ...{ fileName: 'a.mp4', fileSize: 5 },
          metadata: { title: 'A clip', squadId, ...more },
        },
      })
    expect((await open(foreign.id)).statusCode).toBe(400)
    expect((await open(squad.id, { visibility: 'public' })).statusCode).toBe(400)
    const { uploadId } = (await open(squad.id)).json()
    const stored = await site.db
      .selectFrom('uploads')
      .select(['visibility', 'squadId'])
      .where('id', '=', uploadId)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ visibility: 'private', squadId: squad.id })
  })
})

describe('the details of an open upload for a squad that the uploader is no longer in', () => {
  type Upload = { uploadId: string }
  const file = { fileName: 'a.mp4', fileSize: 5 }
  const begin = (metadata: object, more: object = {}) =>
    site.post('/api/uploads/initialize', { as: ann, payload: { ...file, metadata, ...more } })
  const save = (uploadId: string, metadata: object, was: object = {}) =>
    call(ann, 'upload.saveDetails', { uploadId, metadata, was })
  const stored = (uploadId: string) =>
    site.db
      .selectFrom('uploads')
      .select(['title', 'visibility', 'squadId'])
      .where('id', '=', uploadId)
      .executeTakeFirstOrThrow()
  const ends = {
    'after leaving': () => leave(ann),
    'after its deletion': async () => {
      await ask(boss, 'squad.delete', { id: squad.id })
      await settle()
    },
  }

  test.each(Object.entries(ends))('can be saved and the upload resumed %s', async (_, end) => {
    await join(ann)
    const details = { title: 'A clip', squadId: squad.id }
    const { uploadId } = (await begin(details)).json<Upload>()
    await end()
    const wish = { ...details, title: 'A better title' }
    const was = { ...details, visibility: 'private' }
    expect((await save(uploadId, wish, was)).statusCode).toBe(200)
    const alone = { title: 'A better title', visibility: 'private', squadId: null }
    expect(await stored(uploadId)).toEqual(alone)
    const resumed = await begin(wish, { resumeUploadId: uploadId })
    expect([resumed.statusCode, resumed.json().uploadId]).toEqual([200, uploadId])
    expect(await stored(uploadId)).toEqual(alone)
    const foreign = await create(cleo)
    const refused = await save(uploadId, { ...wish, squadId: foreign.id }, was)
    await expectRefused(refused, 400, 'You are not in this squad.')
  })
})

describe('a post for a squad', () => {
  test('is visible only to members of the squad and its author', async () => {
    await join(ann)
    const { id } = await ask<{ id: number }>(ann, 'post.create', {
      ...{ content: 'Tonight at nine', squadId: squad.id },
    })
    const seen = async (as: TestMember) => [
      await statusOf(as, 'post.get', { id }),
      JSON.stringify(await ask(as, 'post.list', { id: ann.id })).includes('Tonight at nine'),
      await statusOf(as, 'comment.list', { postId: id }),
    ]
    expect(await seen(boss)).toEqual([200, true, 200])
    expect(await seen(stranger)).toEqual([404, false, 404])
    const visitor = await site.get(`/trpc/post.get?input=${encodeURIComponent(`{"id":${id}}`)}`)
    expect(visitor.statusCode).toBe(404)
    expect(await statusOf(stranger, 'post.create', { content: 'Hi', squadId: squad.id })).toBe(400)
    await ask(boss, 'squad.delete', { id: squad.id })
    await settle()
    expect(await seen(boss)).toEqual([404, false, 404])
    expect(await seen(ann)).toEqual([200, true, 200])
  })
})

describe('search', () => {
  const found = async (as: TestMember, q: string) =>
    (await ask<Squad[]>(as, 'search.squads', { q })).map(({ id }) => id)

  test('finds squads by words of the name and by tag, hidden ones only for those they know', async () => {
    const tag = `Rats${made}`
    const rats = await create(ann, { name: 'Rust Rats of Old', tag })
    const hidden = await create(boss, { name: 'Rust Rats too', joining: 'invite' })
    expect(await found(boss, 'rats RUST')).toEqual([hidden.id, rats.id])
    expect(await found(stranger, 'rust rats')).toEqual([rats.id])
    expect(await found(stranger, tag.toLowerCase())).toEqual([rats.id])
    expect(await found(stranger, 'rats nobody')).toEqual([])
    await ask(boss, 'squad.invite', { id: hidden.id, usernames: [bob.username] })
    expect(await found(bob, 'rust rats')).toContain(hidden.id)
    await ask(ann, 'squad.delete', { id: rats.id })
    expect(await found(stranger, 'rust rats')).toEqual([])
  })
})

describe('news of a squad', () => {
  const post = (as: TestMember, more: object = {}) =>
    ask<{ id: number }>(as, 'post.create', { content: 'At nine', squadId: squad.id, ...more })
  const told = async (as: TestMember) => {
    await settle()
    return (await inbox(as)).map(({ title }) => title.replaceAll(/\d+/g, '').toLowerCase())
  }
  const subscribe = (as: TestMember, channel: TestMember) =>
    ask(as, 'subscription.create', { channelId: channel.id })

  test('are told to its members once, in a group of the day, and not to the author', async () => {
    for (const as of [ann, bob, cleo]) await join(as)
    await ask(cleo, 'notification.choose', { kind: 'squads', place: 'none' })
    await subscribe(bob, ann)
    await post(ann)
    await post(bob, { content: `Look @${squad.tag}` })
    // The mention is the only notification of the second post.
    const [first, ...others] = await inbox(boss)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...{ type: 'subscription', squadId: squad.id, message: 'At nine' },
      group: { text: 'posted in Night Owls', people: 1 },
    })
    expect(await told(ann)).toEqual([])
    expect(await told(bob)).toHaveLength(1)
    for (const as of [cleo, stranger]) expect(await told(as)).toEqual([])
    await post(bob)
    const { items } = await ask<{ items: Notification[] }>(boss, 'notification.browse', {
      filter: 'squads',
    })
    expect(items[0]?.group).toMatchObject({ text: 'posted in Night Owls', size: 2, people: 2 })
    const subscriptions = await ask<{ items: Notification[] }>(boss, 'notification.browse', {
      filter: 'subscriptions',
    })
    expect(subscriptions.items.filter(({ squadId }) => squadId === squad.id)).toEqual([])
    await leave(boss)
    expect(await told(boss)).not.toContain('at nine')
  })

  test('are clips that the member can watch, and videos that subscribers do not hear of', async () => {
    for (const as of [ann, bob]) await join(as)
    await subscribe(bob, ann)
    const hidden = await site.addVideo(ann, { visibility: 'private' })
    await addRows(site.db, 'videoMembers', { videoId: hidden, userId: bob.id })
    const clipId = await addRow(site.db, 'clips', {
      ...{ videoId: hidden, userId: ann.id, title: 'The shot', foldedTitle: 'the shot' },
      ...{ startSeconds: 1, endSeconds: 4, createdAt: timestamp() },
    })
    await post(ann, { clipId })
    expect(await told(boss)).toEqual([])
    expect(await told(bob)).toEqual([expect.stringContaining('sent a clip to night owls')])
    const id = await site.addVideo(ann, { title: 'Ours', visibility: 'private' })
    await ask(ann, 'video.edit', { id, squadId: squad.id })
    expect(await told(boss)).toEqual([expect.stringContaining('published a video in night owls')])
    expect(await told(bob)).toHaveLength(1)
    await ask(ann, 'video.edit', { id, visibility: 'private', squadId: null })
    expect(await told(boss)).toEqual([])
  })

  test('mark the squad until the member opens it, but not for the author', async () => {
    for (const as of [ann, bob]) await join(as)
    const isMarked = async (as: TestMember) => {
      const { joined } = await ask<{ joined: Squad[] }>(as, 'squad.mine', undefined)
      return joined.some(({ id, hasNews }) => id === squad.id && hasNews === true)
    }
    expect(await isMarked(bob)).toBe(false)
    await addVideo(boss)
    await until(() => isMarked(bob))
    expect([await isMarked(ann), await isMarked(boss)]).toEqual([true, false])
    await ask(bob, 'squad.open', { id: squad.id })
    await ask(stranger, 'squad.open', { id: squad.id })
    expect([await isMarked(bob), await isMarked(ann)]).toEqual([false, true])
    await post(ann)
    await until(() => isMarked(bob))
    expect((await get(stranger)).hasNews).toBe(false)
  })

  test('and of its members reach the open pages of all members', async () => {
    const heard = new Set<number>()
    const ended = new AbortController()
    for (const { id } of [boss, ann, bob]) {
      site.deps.live.listen(id, { listener: () => heard.add(id), signal: ended.signal })
    }
    const whoHears = async (act: () => Promise<unknown>) => {
      heard.clear()
      await act()
      return [...heard].sort((a, b) => a - b)
    }
    await ask(boss, 'squad.edit', { id: squad.id, joining: 'request' })
    await ask(ann, 'notification.choose', { kind: 'squads', place: 'none' })
    expect(await whoHears(() => join(ann))).toEqual([boss.id])
    const accept = () => ask(boss, 'squad.answer', { id: squad.id, userId: ann.id, accepts: true })
    expect(await whoHears(accept)).toEqual([boss.id, ann.id].sort((a, b) => a - b))
    expect(await whoHears(() => post(boss))).toContain(ann.id)
    expect(await whoHears(() => leave(ann))).toContain(boss.id)
    ended.abort()
  })

  test('reach all members of a large squad in steps', async () => {
    await addMembers(150)
    await post(boss)
    const count = () =>
      site.db
        .selectFrom('notifications')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('squadId', '=', squad.id)
        .executeTakeFirstOrThrow()
    const first = Number((await count()).count)
    expect(first).toBeLessThanOrEqual(100)
    await settle()
    expect(Number((await count()).count)).toBe(150)
  })

  async function addMembers(count: number) {
    for (let index = 0; index < count; index++) {
      const userId = await addMember(site.db, `crowd${made}x${index}`)
      const row = { squadId: squad.id, userId, role: 'member', joinedAt: timestamp() } as const
      await site.db.insertInto('squadMembers').values(row).execute()
    }
  }
})

describe('who was here in the last day', () => {
  test('is shown to members of the squad, if both allow it', async () => {
    for (const as of [ann, bob]) await join(as)
    const visit = (userId: number, hours: number) => {
      const at = timestamp(new Date(Date.now() - hours * 3_600_000))
      return addRows(site.db, 'visits', { userId, startedAt: at, seenAt: at, previousAt: null })
    }
    await visit(ann.id, 1)
    await visit(bob.id, 25)
    const allow = (as: TestMember) =>
      ask(as, 'settings.editProfile', { showsPresence: true }).then(() => undefined)
    const here = async (as: TestMember) =>
      (await ask<SquadMember[]>(as, 'squad.members', { id: squad.id }))
        .filter(({ wasHereLately }) => wasHereLately)
        .map(({ username }) => plainName(username))
    await allow(boss)
    expect(await here(boss)).toEqual([])
    await allow(ann)
    await allow(bob)
    await allow(stranger)
    expect(await here(boss)).toEqual(['ann'])
    expect(await here(stranger)).toEqual([])
    await ask(boss, 'settings.editProfile', { showsPresence: false })
    expect(await here(boss)).toEqual([])
  })
})

describe('a clip that is sent to a squad', () => {
  const makeClip = (videoId: number) =>
    addRow(site.db, 'clips', {
      ...{ videoId, userId: ann.id, title: 'The shot', foldedTitle: 'the shot' },
      ...{ startSeconds: 1, endSeconds: 4, createdAt: timestamp() },
    })
  const send = (clipId: number, as = ann, squadId: number | null = squad.id) =>
    call(as, 'post.create', { content: 'Watch this clip.', clipId, squadId })
  const clipsOf = async (as: TestMember) =>
    (await ask<{ items: Post[] }>(as, 'squad.posts', { id: squad.id })).items.map(
      ({ clip }) => clip?.title ?? null,
    )

  test('is among its posts, once, and gone with the clip', async () => {
    await join(ann)
    const clipId = await makeClip(await site.addVideo(cleo))
    expect((await send(clipId)).statusCode).toBe(200)
    expect(await clipsOf(boss)).toEqual(['The shot'])
    expectRefused(await send(clipId), 409, 'You have already sent this clip to this squad.')
    expect((await send(clipId, boss)).statusCode).toBe(200)
    expectRefused(await send(clipId, stranger), 400, 'You are not in this squad.')
    expectRefused(await send(clipId, ann, null), 400, 'A clip can be sent to a squad only.')
    await ask(ann, 'clip.delete', { id: clipId })
    expect(await clipsOf(boss)).toEqual([null, null])
  })

  test('is shown only to members who may watch its video', async () => {
    for (const as of [ann, bob]) await join(as)
    const hidden = await site.addVideo(ann, { visibility: 'private' })
    await addRows(site.db, 'videoMembers', { videoId: hidden, userId: bob.id })
    const clipId = await makeClip(hidden)
    expectRefused(await send(clipId, boss), 404, NO_SUCH_CLIP)
    await send(clipId)
    expect([await clipsOf(ann), await clipsOf(bob)]).toEqual([['The shot'], ['The shot']])
    expect(await clipsOf(boss)).toEqual([null])
    const answer = await call(boss, 'squad.posts', { id: squad.id })
    expect(answer.body).not.toContain('The shot')
    await site.db
      .updateTable('videos')
      .set({ visibility: 'unlisted' })
      .where('id', '=', hidden)
      .execute()
    expect(await clipsOf(boss)).toEqual(['The shot'])
  })
})

describe('a video that is sent to a squad', () => {
  test('may be of another channel, unless it is in no list or anonymous', async () => {
    await join(ann)
    const send = (videoId: number, squadId: number | null = squad.id) =>
      call(ann, 'post.create', { content: 'Watch this video.', videoId, squadId })
    const videosOf = async (as: TestMember) =>
      (await ask<{ items: Post[] }>(as, 'squad.posts', { id: squad.id })).items.map(
        ({ video }) => video?.id ?? null,
      )
    const id = await site.addVideo(cleo, { visibility: 'members' })
    expect((await send(id)).statusCode).toBe(200)
    expect(await videosOf(boss)).toEqual([id])
    expectRefused(await send(id, null), 400, 'A post can only show a video of its own channel.')
    const named = await site.addVideo(cleo, { visibility: 'private' })
    await addRows(site.db, 'videoMembers', { videoId: named, userId: ann.id })
    const unlisted = await site.addVideo(cleo, { visibility: 'unlisted' })
    const anonymous = await site.addVideo(cleo, { isAnonymous: 1 })
    for (const other of [named, unlisted, anonymous]) {
      expectRefused(await send(other), 400, 'This video cannot be sent to a squad.')
    }
    await site.db
      .updateTable('videos')
      .set({ visibility: 'private' })
      .where('id', '=', id)
      .execute()
    expect(await videosOf(boss)).toEqual([null])
  })
})

describe('the tag of a squad', () => {
  test('notifies the members if one of them writes it, and nobody if someone else does', async () => {
    await join(ann)
    await join(bob)
    const video = await site.addVideo(cleo, { title: 'Seen by all' })
    const told = async (as: TestMember) =>
      (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items.filter(
        ({ videoId }) => videoId === video,
      ).length
    const write = (as: TestMember) =>
      ask(as, 'comment.create', { videoId: video, content: `Look @${squad.tag.toLowerCase()}.` })
    await write(stranger)
    expect([await told(boss), await told(bob)]).toEqual([0, 0])
    await write(ann)
    expect([await told(boss), await told(bob), await told(ann)]).toEqual([1, 1, 0])
  })

  test('is no name of a member, and no member can take it as a name', async () => {
    const name = `zed${made}`
    await site.addMember(name)
    const taken = 'A member has this name. Choose another tag.'
    const fields = { name: 'Zeds', colour: 'red', emblem: 'star', joining: 'open' }
    for (const tag of [name, name.toUpperCase()]) {
      await expectRefused(await call(ann, 'squad.create', { ...fields, tag }), 409, taken)
      const change = { id: squad.id, tag }
      await expectRefused(await call(boss, 'squad.edit', change), 409, taken)
    }
    await ask(boss, 'squad.edit', { id: squad.id, tag: `owl${made}` })
    const register = (username: string) =>
      site.post('/api/register', {
        payload: {
          ...{ username, displayName: 'New', password: PASSWORD },
          email: `${username}@example.org`,
        },
      })
    const refused = await register(`OWL${made}`)
    expect([refused.statusCode, refused.body]).toEqual([
      409,
      'Username or email is already in use.',
    ])
    expect((await register(`owls${made}`)).statusCode).toBe(201)
  })

  test("reaches the author's own squad also where a member has the same name", async () => {
    await join(ann)
    const same = await site.addMember(squad.tag.toLowerCase())
    const post = await ask<{ id: number }>(ann, 'post.create', { content: `Hi @${squad.tag}` })
    const foreign = await ask<{ id: number }>(cleo, 'post.create', { content: `Hi @${squad.tag}` })
    const told = async (as: TestMember, id: number) =>
      (await ask<{ items: Notification[] }>(as, 'notification.list', {})).items.filter(
        ({ postId }) => postId === id,
      ).length
    expect([await told(boss, post.id), await told(same, post.id)]).toEqual([1, 0])
    expect([await told(boss, foreign.id), await told(same, foreign.id)]).toEqual([0, 1])
  })
})

describe('the page of a squad on a busy site', () => {
  test('has what its members loved, however much others liked since', async () => {
    await join(ann)
    const mine = await site.addVideo(cleo, { title: 'The old favourite' })
    const at = (minutesAgo: number) => timestamp(new Date(Date.now() - minutesAgo * 60_000))
    const like = (videoId: number, userId: number, minutesAgo: number) => ({
      ...{ videoId, userId, isLike: 1 as const, createdAt: at(minutesAgo) },
    })
    await addRows(site.db, 'likes', like(mine, ann.id, 60))
    const videos = Array.from({ length: 26 }, (_, n) => ({ userId: cleo.id, title: `Any ${n}` }))
    const videoIds = await addVideos(site.db, videos)
    const userIds: number[] = []
    for (let n = 0; n < 40; n++) userIds.push(await addMember(site.db, `Crowd ${made} ${n}`))
    const likes = userIds.flatMap((userId) => videoIds.map((id) => like(id, userId, 5)))
    await addRows(site.db, 'likes', likes)
    const loved = await ask<Video[]>(boss, 'squad.loved', { id: squad.id })
    expect(loved.map(({ id }) => id)).toEqual([mine])
  })

  test('has clips of its members that others see, behind many that they do not', async () => {
    await join(ann)
    const open = await site.addVideo(cleo)
    const hidden = await site.addVideo(ann, { visibility: 'private' })
    const clip = (videoId: number, title: string) => ({
      ...{ videoId, userId: ann.id, title, foldedTitle: title.toLowerCase() },
      ...{ startSeconds: 0, endSeconds: 5, createdAt: timestamp() },
    })
    const shown = Array.from({ length: 5 }, (_, n) => clip(open, `Shown ${n}`))
    const others = Array.from({ length: 30 }, (_, n) => clip(hidden, `Hidden ${n}`))
    await addRows(site.db, 'clips', [...shown, ...others])
    type Clips = { items: { title: string }[]; nextCursor: string | null }
    const read = (cursor: string | null) =>
      ask<Clips>(boss, 'squad.clips', { id: squad.id, limit: 3, ...(cursor && { cursor }) })
    const first = await read(null)
    const second = await read(first.nextCursor)
    const titles = [...first.items, ...second.items].map(({ title }) => title)
    expect(titles).toEqual([4, 3, 2, 1, 0].map((n) => `Shown ${n}`))
    expect(second.nextCursor).toBeNull()
  })
})

async function hashOf(): Promise<string> {
  const { password } = await site.db
    .selectFrom('users')
    .select('password')
    .where('id', '=', boss.id)
    .executeTakeFirstOrThrow()
  return password
}
