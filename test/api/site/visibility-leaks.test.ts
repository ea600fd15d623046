import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LEVEL_READS, LINK_READS } from '#test/support/level-rows.ts'
import {
  addPeople,
  LEVELS,
  plantLevels,
  ROLES,
  type Role,
  WORDS,
} from '#test/support/planted-levels.ts'
import { procedureRequest, procedures } from '#test/support/procedure-call.ts'
import { isFile, LINKS, type Planted, readLinks, readTable } from '#test/support/read-levels.ts'
import { openSiteWithPages } from '#test/support/shared-site.ts'
import { setNextId } from '#test/support/site-database.ts'

/*
 * Each level has a video and a playlist of one member, with a word that nothing else has in every text. Everything
 * that can be read is read by everybody, with the address of each.
 */

type Site = Awaited<ReturnType<typeof openSiteWithPages>>
type PlantedSite = Planted & { site: Site }

/** Of the videos, so that a number in an answer can be told to be one. */
const FIRST_ID = 700_001
let plain: PlantedSite
/** Whose files a proxy sends. */
let accelerated: PlantedSite
let log = ''

async function openPlanted(...options: Parameters<typeof openSiteWithPages>): Promise<PlantedSite> {
  const site = await openSiteWithPages(...options)
  const people = await addPeople(site)
  await setNextId(site.db, { table: 'videos', id: FIRST_ID })
  return { site, people, names: await plantLevels(site, people) }
}

beforeAll(async () => {
  const stream = new Writable({
    write(line, _, done) {
      log += line
      done()
    },
  })
  const rateLimitScale = 1_000_000
  plain = await openPlanted({ rateLimitScale }, { logger: { level: 'debug', stream } })
  accelerated = await openPlanted({ rateLimitScale, xAccelPrefix: '/_media' })
})
afterAll(() => Promise.all([plain, accelerated].map(({ site }) => site.close())))

describe('what is of each level', () => {
  test.each(ROLES)('is shown to a %s where the table says so, and nowhere else', async (role) => {
    const { found, expected } = await readTable(plain, LEVEL_READS, role)
    expect(found).toEqual(expected)
  })

  test.each(ROLES)('is sent by a proxy to a %s as without one', async (role) => {
    const { found, expected } = await readTable(accelerated, LEVEL_READS.filter(isFile), role)
    expect(found).toEqual(expected)
  })

  test('is shown to whoever has a link that works, and to nobody by another', async () => {
    for (const role of ['visitor', 'member'] as const) {
      const { found, expected } = await readLinks(plain, LINK_READS, role)
      expect(found).toEqual(expected)
    }
    const { found, expected } = await readLinks(accelerated, LINK_READS.filter(isFile), 'visitor')
    expect(found).toEqual(expected)
  })

  test('is shown to no visitor of a site for members but by a link', async () => {
    const { site } = plain
    const settings = (audience: 'members' | 'everybody') =>
      site.db.updateTable('siteSettings').set({ audience }).execute()
    await settings('members')
    const { found } = await readTable(plain, LEVEL_READS, 'visitor')
    const links = await readLinks(plain, LINK_READS, 'visitor')
    await settings('everybody')
    expect(found.filter((one) => !one.endsWith(': -'))).toEqual([])
    expect(links.found).toEqual(links.expected)
  })

  test('is not opened by having opened a link: nothing of that is remembered', async () => {
    const { site, names } = plain
    const { live = '' } = names.private
    const opened = await site.call(procedureRequest('shareLink.open', { token: live }))
    const page = await site.get(`/s/${live}`)
    expect([opened.statusCode, page.statusCode]).toEqual([200, 200])
    expect([opened.headers['set-cookie'], page.headers['set-cookie']]).toEqual([
      undefined,
      undefined,
    ])
  })
})

test('every address and every query has a row', () => {
  const shape = (path: string) => path.replace(/\?.*/, '').replaceAll(/\{\w+\}|:[a-z]\w*/gi, '{}')
  const rows = [...LEVEL_READS, ...LINK_READS].map(([call]) => call)
  const asked = rows.map((call) => shape(call.replace('GET ', '')))
  // 'channel/1.xml' and 'uploads/1' are asked for with what stands for a part in the route.
  const examples = asked.map((path) =>
    path
      .replace('/game/Other', '/game/{}')
      .replace('/category/Other', '/category/{}')
      .replace('sitemap-1', 'sitemap-{}')
      .replace('/admin/storage', '/admin/{}')
      .replace('/backups/1', '/backups/{}')
      .replace('/inbox/1', '/inbox/{}')
      .replace('/s/no-such-link-anywhere-', '/s/{}')
      .replace(/\/media\/([\w-]+\.\w+|source)$/, '/media/{}')
      .replace(/\/(media\/)?\{\}\/([\w-]+\.\w+|source)$/, '/$1{}/{}'),
  )
  const known = new Set([...asked, ...examples])
  const reads = Object.keys(procedures).filter((name) => procedures[name]?._def.type === 'query')
  const routes = listRoutes(plain.site.app.printRoutes({ commonPrefix: false }))
  expect(routes.length).toBeGreaterThan(50)
  const unknown = [...routes.map(shape), ...reads].filter((one) => !known.has(one))
  expect(unknown).toEqual(['/api/docs*', '/assets/{}', '/trpc/{}'])
})

/** The paths that can be read, of the tree that Fastify prints; `a|b` are names of the same part. */
function listRoutes(tree: string): string[] {
  const parts: string[] = []
  const routes: string[] = []
  for (const line of tree.trimEnd().split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([ │├└─]*)(\S*) \((.*)\)$/.exec(line) ?? []
    const depth = indent.length / 4
    parts.splice(depth - 1, Infinity, part.replaceAll(/\|:\w+/g, ''))
    if (methods.split(', ').includes('GET')) routes.push(parts.join(''))
  }
  return routes
}

test('what one may not see answers as what there is not', async () => {
  const { site, people, names } = plain
  const shape = async (id: string, role: Role) => {
    const paths = ['/api/videos/{id}', '/api/videos/{id}/comments', '/video/{id}', '/embed/{id}']
    const as = people[role]
    const answers = await Promise.all(
      paths.map((path) => site.get(path.replace('{id}', id), { ...(as && { as }) })),
    )
    return answers.map(({ statusCode, headers, body }) => [
      statusCode,
      `${JSON.stringify(headers)}${body}`
        .replaceAll(/"(date|etag|content-length|x-request-id)":"[^"]*",?/g, '')
        .replaceAll(id, ''),
    ])
  }
  for (const [level, role] of [
    ['members', 'visitor'],
    ['private', 'visitor'],
    ['private', 'member'],
    ['squad', 'visitor'],
    ['squad', 'member'],
  ] as const) {
    expect(await shape(names[level].video ?? '', role)).toEqual(
      await shape(String(FIRST_ID - 1), role),
    )
  }
})

test('the log names nothing of what anybody saw, and no link', () => {
  expect(log.length).toBeGreaterThan(100_000)
  const tokens = LEVELS.flatMap((level) => LINKS.map((link) => plain.names[level][link] ?? ''))
  const named = [...Object.values(WORDS), ...tokens].filter((word) => log.includes(word))
  expect(named).toEqual([])
})
