import { beforeAll, beforeEach } from 'vitest'
import type { TestMember, TestSite } from './test-site.ts'
import { addMemberWithPassword } from './world.ts'

type Options = { hasPassword?: boolean; isAdmin?: boolean }

/**
 * Adds members before each test, so that none has what a test before left: `ann1` and `bob1`, then `ann2` and `bob2`. The
 * objects have no properties before that, and are the same for all tests.
 */
export function setUpMembers<Name extends string>(
  site: TestSite,
  names: Name[],
  options?: Options,
): Record<Name, TestMember> {
  const members = names.map((name) => [name, {} as TestMember] as const)
  let round = 0
  beforeEach(async () => {
    round++
    for (const [name, member] of members) {
      Object.assign(member, await add(site, `${name}${round}`, options))
    }
  })
  return Object.fromEntries(members) as Record<Name, TestMember>
}

/** Adds members before the tests of a file; the objects have no properties before that. */
export function setUpFileMembers<Name extends string>(
  site: TestSite,
  names: Name[],
): Record<Name, TestMember> {
  const members = names.map((name) => [name, {} as TestMember] as const)
  beforeAll(async () => {
    for (const [name, member] of members) Object.assign(member, await add(site, name))
  })
  return Object.fromEntries(members) as Record<Name, TestMember>
}

/** Adds an admin before the tests of a file. */
export function setUpAdmin(site: TestSite, options?: Options): TestMember {
  const admin = {} as TestMember
  beforeAll(async () => {
    Object.assign(admin, await add(site, 'admin', { ...options, isAdmin: true }))
  })
  return admin
}

function add(site: TestSite, username: string, { hasPassword, ...options }: Options = {}) {
  if (hasPassword) return addMemberWithPassword(site, username, options)
  return site.addMember(username, options)
}
