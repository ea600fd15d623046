import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { rebuildSearchIndex } from '#server/discovery/search/index-health.queries.ts'
import { createSearcher } from '#server/discovery/search/searcher.ts'
import { isPublicVideo } from '#server/video/video/video.access.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { answerOf, callsOf } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const { ask, call } = callsOf(site)
const admin = setUpAdmin(site)
const { ann } = setUpFileMembers(site, ['ann'])

type Found = { items: Video[]; nextCursor: string | null; total: number }
const search = (input: object, as?: TestMember) => ask<Found>(as, 'search.videos', input)
const titles = async (q: string, more: object = {}) =>
  (await search({ q, ...more })).items.map((video) => video.title)

describe('a search', () => {
  beforeAll(async () => {
    const add = (title: string, fields: object = {}) => site.addVideo(ann, { title, ...fields })
    const bee = await site.addMember('beekeeper')
    await site.addVideo(bee, { title: 'Nothing to see' })
    await add('A day out', { description: 'zeppelin '.repeat(60) })
    await add('Another day', { tags: '["zeppelin","sky"]' })
    await add(`The long story of a zeppelin ${'and more '.repeat(6)}`, {
      description: 'and so on '.repeat(400),
    })
  })

  test('finds in title, tags, description and channel name, the title match first', async () => {
    const found = await titles('zeppelin')
    expect(found).toHaveLength(3)
    expect(found[0]).toMatch(/^The long story/)
    expect(await titles('beekeeper')).toEqual(['Nothing to see'])
  })

  test('takes the beginning of a word, but not its middle', async () => {
    expect(await titles('zepp')).toHaveLength(3)
    expect(await titles('z')).toHaveLength(3)
    expect(await titles('ppelin')).toEqual([])
  })

  test('needs every word, wherever each is', async () => {
    expect(await titles('zeppelin sky')).toEqual(['Another day'])
    expect((await titles('day zepp')).sort()).toEqual(['A day out', 'Another day'])
    expect(await titles('zeppelin submarine')).toEqual([])
  })

  test.each([
    ['a letter missing', 'zepelin'],
    ['a letter too many', 'zepppelin'],
    ['a wrong letter', 'zeppelun'],
    ['two letters swapped', 'zepplein'],
    ['the first letter wrong', 'seppelin'],
    ['the last letter missing, and another word', 'zeppelon story'],
  ])('forgives %s', async (_, typo) => {
    expect((await titles(typo))[0]).toMatch(/^The long story/)
  })

  test('forgives a mistake in a word of three letters', async () => {
    for (const title of ['GTA heist', 'CS2 ace']) await site.addVideo(ann, { title })
    expect(await titles('gat')).toEqual(['GTA heist'])
    expect(await titles('cs3')).toEqual(['CS2 ace'])
  })

  test('a word that begins few others may be a mistake, and what it says itself comes first', async () => {
    for (let index = 0; index < 40; index++)
      await site.addVideo(ann, { title: `Pangolin ${index}` })
    await site.addVideo(ann, { title: 'Pangolinn itself' })
    await site.addVideo(ann, { title: 'Pangolxy' })
    const found = await search({ q: 'pangolx', limit: 5 })
    expect(found.items[0]?.title).toBe('Pangolxy')
    const exact = await titles('pangolinn')
    expect(exact).toEqual(['Pangolinn itself'])
  })

  test('does not take two mistakes, or a word of two letters, for another', async () => {
    expect(await titles('sepelin')).toEqual([])
    expect(await titles('sk')).toEqual(['Another day'])
    expect(await titles('ks')).toEqual([])
  })
})

describe('letters', () => {
  beforeAll(async () => {
    for (const title of [
      'Überfall am Ñandú-See',
      'Cafe\u0301 au lait',
      'Майнкрафт: Ёлка й',
      'Άγγελος',
      '한국 게임',
      '\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165 자막',
      'がんばれ ゲーム',
      '日本語の動画',
      'हिन्दी वीडियो',
      'กำลังเล่น',
      'Straße',
      '不道德公會 第3集',
      '격투게임대회 결승',
      'スーパーマリオ ドﾘﾌﾄ',
      'Łódź Ørsted Ægir Þór',
      'ΟΔΟΣ προς',
      'مُبَارَاة أُولـى',
      'ＦＰＳ１２ ﬁnal 𝐁𝐨𝐬𝐬',
      'Işık İzmir',
      'soft\u00adhyphen and zero\u200bwidth',
    ]) {
      const id = await site.addVideo(ann, { title: 'To be renamed' })
      await ask(ann, 'video.edit', { id, title })
    }
  })

  test.each([
    ['uberfall', 'Überfall am Ñandú-See'],
    ['ÜBERFALL', 'Überfall am Ñandú-See'],
    ['U\u0308berfall nandu', 'Überfall am Ñandú-See'],
    ['überfal', 'Überfall am Ñandú-See'],
    ['cafe', 'Café au lait'],
    ['café', 'Café au lait'],
    ['Майнкрафт', 'Майнкрафт: Ёлка й'],
    ['майнкра', 'Майнкрафт: Ёлка й'],
    ['МАЙНКРАФТ ёлка', 'Майнкрафт: Ёлка й'],
    ['майнкафт', 'Майнкрафт: Ёлка й'],
    ['майнкравт', 'Майнкрафт: Ёлка й'],
    ['άγγελος', 'Άγγελος'],
    ['ΆΓΓΕΛΟΣ', 'Άγγελος'],
    ['한국', '한국 게임'],
    ['\u1112\u1161\u11ab\u1100\u116e\u11a8', '한국 게임'],
    ['한국어', '한국어 자막'],
    ['がんばれ', 'がんばれ ゲーム'],
    ['か\u3099んば', 'がんばれ ゲーム'],
    ['日本', '日本語の動画'],
    ['हिन्दी', 'हिन्दी वीडियो'],
    ['กำลัง', 'กำลังเล่น'],
    ['straße', 'Straße'],
    ['STRASSE', 'Straße'],
    ['公會', '不道德公會 第3集'],
    ['道德公', '不道德公會 第3集'],
    ['會', '不道德公會 第3集'],
    ['德', '不道德公會 第3集'],
    ['第3集', '不道德公會 第3集'],
    ['公會 3', '不道德公會 第3集'],
    ['게임', '격투게임대회 결승'],
    ['대회', '격투게임대회 결승'],
    ['회', '격투게임대회 결승'],
    ['本語', '日本語の動画'],
    ['まりお', 'スーパーマリオ ドﾘﾌﾄ'],
    ['リフト', 'スーパーマリオ ドﾘﾌﾄ'],
    ['เล่น', 'กำลังเล่น'],
    ['lodz', 'Łódź Ørsted Ægir Þór'],
    ['orsted aegir thor', 'Łódź Ørsted Ægir Þór'],
    ['ŁÓDŹ æg', 'Łódź Ørsted Ægir Þór'],
    ['αγγελος', 'Άγγελος'],
    ['οδός', 'ΟΔΟΣ προς'],
    ['ΠΡΟΣ', 'ΟΔΟΣ προς'],
    ['مباراه', 'مُبَارَاة أُولـى'],
    ['اولي', 'مُبَارَاة أُولـى'],
    ['fps12', 'ＦＰＳ１２ ﬁnal 𝐁𝐨𝐬𝐬'],
    ['final boss', 'ＦＰＳ１２ ﬁnal 𝐁𝐨𝐬𝐬'],
    ['елка', 'Майнкрафт: Ёлка й'],
    ['ISIK izmir', 'Işık İzmir'],
    ['ışık İZMİR', 'Işık İzmir'],
    ['softhyphen zerowidth', 'soft\u00adhyphen and zero\u200bwidth'],
  ])('"%s" finds "%s"', async (query, title) => {
    expect(await titles(query)).toContain(title)
  })

  test.each(['會公', '公德', '回임', '임게', '本日', 'オリマ', 'นล่', '公會 4'])(
    '"%s" finds nothing: its characters stand in another order, or nowhere',
    async (query) => {
      expect(await titles(query)).toEqual([])
    },
  )
})

describe('a name', () => {
  const category = 'CS2'
  const NAMES = [
    ...['AK-47 ace', 'ak47 spray', 'CS:GO finals', 'csgo again', 'Half-Life 2', 'HalfLife mods'],
    ...['no_scope montage', 'noscope king', 'S.T.A.L.K.E.R. start', 'stalker end', 'GTA 5 heist'],
    ...['Wall·E and AC/DC', 'csgo_deagle-round_7', 'Half Moon', 'No mercy', 'Talking about it'],
    ...['Counter strike', 'Don’t blink', 'Akimbo 47 times'],
  ]
  beforeAll(async () => {
    for (const title of NAMES) await site.addVideo(ann, { title, category })
  })
  const found = async (q: string) => (await titles(q, { category })).toSorted()

  test.each([
    [['ak47', 'AK-47', 'ak 47', 'Ak_47'], ['AK-47 ace', 'ak47 spray'], ['Akimbo 47 times']],
    [['csgo', 'CS:GO', 'cs-go'], ['CS:GO finals', 'csgo again', 'csgo_deagle-round_7'], []],
    [['halflife', 'Half-Life', 'half life', 'half-lif'], ['Half-Life 2', 'HalfLife mods'], []],
    [['noscope', 'no_scope', 'NO SCOPE', 'no-sc'], ['no_scope montage', 'noscope king'], []],
    [['stalker', 'S.T.A.L.K.E.R.'], ['S.T.A.L.K.E.R. start', 'stalker end'], []],
    [['gta5', 'GTA-5', 'gta 5'], ['GTA 5 heist'], []],
    [['walle acdc', 'wall-e ac/dc'], ['Wall·E and AC/DC'], []],
    [['dont', "don't", 'don’t'], ['Don’t blink'], []],
    [['counterstrike', 'counter-strike'], ['Counter strike'], []],
    [['deagleround', 'round7'], ['csgo_deagle-round_7'], []],
    [['talk'], ['Talking about it'], []],
    [['nom', 'alker', 'life2x'], [], []],
  ])('%j is found as it is written here and there', async (queries, expected, andPerhaps) => {
    for (const q of queries) {
      const all = (await found(q)).filter((title) => !andPerhaps.includes(title as never))
      expect(all, q).toEqual(expected.toSorted())
    }
  })
})

describe('two words written as one', () => {
  const category = 'Minecraft'
  const found = async (q: string, more: object = {}) => titles(q, { category, ...more })
  beforeAll(async () => {
    const add = (title: string, fields: object = {}) =>
      site.addVideo(ann, { title, category, ...fields })
    await add('Half Life', { viewCount: 50, description: 'sunflower' })
    await add('Half-Life 2', { viewCount: 40, tags: '["windmill"]' })
    await add('Halflife is short', { viewCount: 30 })
    await add('Sun and flower')
    await add('Half of my life', { viewCount: 60 })
    await add('The other half', { description: 'of life' })
    await add('Today', { viewCount: 5 })
    await add('A day to win')
    for (let count = 0; count < 12; count++) await add(`Windmill ${count}`)
    await add('Wind over the mill')
  })

  test('are found beside what is written so, after it', async () => {
    const all = await found('halflife')
    expect(all).toEqual(['Half-Life 2', 'Halflife is short', 'Half of my life', 'Half Life'])
    expect((await found('halflife', { sort: 'date' })).toSorted()).toEqual(all.toSorted())
    expect((await search({ q: 'halflife', category })).total).toBe(4)
  })

  test('are found however many are written so, or have the word in their text alone', async () => {
    expect(await found('windmill', { limit: 50 })).toHaveLength(14)
    expect((await search({ q: 'windmill', category, limit: 2 })).total).toBe(14)
    expect(await found('sunflower')).toEqual(['Half Life', 'Sun and flower'])
  })

  test('with less than three letters each are two words', async () => {
    expect(await found('today')).toEqual(['Today'])
  })

  test('are suggested', async () => {
    const all = await ask<{ text: string }[]>(undefined, 'search.suggest', { q: 'halflife' })
    expect(all.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Half Life', 'Half-Life 2', 'Halflife is short']),
    )
  })
})

describe('every character', () => {
  const PLAIN = [
    '100% accuracy',
    'under_score',
    'He said "go"',
    'C++ *and* (more)',
    'a-b ^c: d',
    '🔥 fire',
  ]
  const QUERIES = [
    ...'% _ " * ^ : - ( ) () "" "* \\ \' ; 🔥 🏳️‍🌈 %% １２ 日本 {title} title:go rowid'.split(' '),
    ...'AND OR NOT NEAR -go ^go go* "go a"b (go NEAR(go'.split(' '),
    ...['NEAR(a b)', 'a AND b', 'go OR', 'NOT go', '\u0000', "'; --"],
  ]
  beforeAll(async () => {
    for (const title of PLAIN) await site.addVideo(ann, { title, category: 'Tarkov' })
  })

  test.each(QUERIES)('of %j is plain text', async (query) => {
    const { items } = await search({ q: query, category: 'Tarkov' })
    expect(items.length).toBeLessThan(PLAIN.length)
  })

  test('that is no word is looked for in titles as it is', async () => {
    for (const [query, title] of [
      ['%', '100% accuracy'],
      ['_', 'under_score'],
      ['"', 'He said "go"'],
      ['*', 'C++ *and* (more)'],
      ['^', 'a-b ^c: d'],
      ['🔥', '🔥 fire'],
    ] as const) {
      expect(await titles(query, { category: 'Tarkov' })).toEqual([title])
    }
  })

  test('is found in tags, descriptions and channel names too, the title first', async () => {
    const star = await site.addMember('star')
    await answerOf(site, {
      ...{ as: star, name: 'settings.editProfile' },
      input: { displayName: '★ Star ★' },
    })
    const category = 'FiveM'
    await site.addVideo(star, { title: 'By the star', category })
    await site.addVideo(ann, { title: 'Tagged', tags: '["top ★"]', category })
    await site.addVideo(ann, { title: 'Described', description: 'Five ★★★★★', category })
    await site.addVideo(ann, { title: 'The ★ itself', category })
    const found = await titles('★', { category })
    expect(found[0]).toBe('The ★ itself')
    expect(found.toSorted()).toEqual(['By the star', 'Described', 'Tagged', 'The ★ itself'])
    expect(await titles('★★★', { category })).toEqual(['Described'])
    expect(await titles('★', { category: 'GTA' })).toEqual([])
    const [by] = await titles('by ★', { category })
    expect(by).toBe('By the star')
    const hidden = { isAnonymous: 1 } as const
    await site.db.updateTable('videos').set(hidden).where('title', '=', 'By the star').execute()
    expect(await titles('★', { category })).toHaveLength(3)
  })

  test('beside a word narrows what is found, but only when some video has both', async () => {
    const category = 'GTA'
    for (const title of ['C and nothing', 'C++ for mods', 'C# for mods', 'R&D at 100%']) {
      await site.addVideo(ann, { title, category })
    }
    expect(await titles('c++', { category })).toEqual(['C++ for mods'])
    expect(await titles('c ++ mods', { category })).toEqual(['C++ for mods'])
    expect(await titles('mods %', { category })).toHaveLength(2)
    expect(await titles('100%', { category })).toEqual(['R&D at 100%'])
    expect(await titles('R&D', { category })).toEqual(['R&D at 100%'])
    expect(await titles('nothing$', { category })).toEqual(['C and nothing'])
  })

  test('of punctuation beside a word is passed over', async () => {
    for (const query of ['said, go', '#go', '"he said"', '(he) go!', 'he-said']) {
      expect(await titles(query, { category: 'Tarkov' })).toEqual(['He said "go"'])
    }
  })

  test('AND, OR, NOT and NEAR are words', async () => {
    expect(await titles('AND', { category: 'Tarkov' })).toEqual(['C++ *and* (more)'])
    expect(await titles('go OR fire', { category: 'Tarkov' })).toEqual([])
    expect(await titles('said NOT go', { category: 'Tarkov' })).toEqual([])
    expect(await titles('said go', { category: 'Tarkov' })).toEqual(['He said "go"'])
  })
})

describe('a list of results', () => {
  beforeAll(async () => {
    for (let index = 0; index < 7; index++) {
      await site.addVideo(ann, {
        title: `Quokka ${index}`,
        category: index % 2 ? 'Rust' : 'CS2',
        viewCount: (index * 3) % 7,
        publishedAt: `2026-01-0${((index * 2) % 7) + 1}T00:00:00.000Z`,
      })
    }
  })
  const numbers = async (more: object) =>
    (await titles('quokka', more)).map((title) => Number(title.slice(-1)))

  test('is narrowed to a category', async () => {
    expect((await numbers({ category: 'Rust' })).sort()).toEqual([1, 3, 5])
    expect(await search({ q: 'quokka', category: 'GTA' })).toMatchObject({ items: [], total: 0 })
  })

  test('is sorted by fit, by date or by views', async () => {
    expect((await numbers({ sort: 'relevance' })).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(await numbers({ sort: 'date' })).toEqual([3, 6, 2, 5, 1, 4, 0])
    expect(await numbers({ sort: 'views' })).toEqual([2, 4, 6, 1, 3, 5, 0])
  })

  test.each(['relevance', 'date', 'views'])(
    'by %s comes in pages that make up the whole',
    async (sort) => {
      const whole = await search({ q: 'quokka', sort })
      const found: Video[] = []
      let cursor: string | null = null
      do {
        const page: Found = await search({ q: 'quokka', sort, limit: 3, cursor })
        expect(page.total).toBe(7)
        found.push(...page.items)
        cursor = page.nextCursor
      } while (cursor)
      expect(found).toEqual(whole.items)
    },
  )

  test('counts those with the word elsewhere, also when titles fill the page', async () => {
    for (const title of ['Kakapo one', 'Kakapo two']) await site.addVideo(ann, { title })
    for (const title of ['Three', 'Four', 'Five']) {
      await site.addVideo(ann, { title, description: 'with a kakapo' })
    }
    const page = await search({ q: 'kakapo', limit: 2 })
    expect([page.total, page.nextCursor]).toEqual([5, '2'])
    expect(page.items.map(({ title }) => title)).toEqual(['Kakapo two', 'Kakapo one'])
    const rest = await search({ q: 'kakapo', limit: 10, cursor: '2' })
    expect([rest.total, rest.nextCursor]).toEqual([5, null])
    expect(rest.items.map(({ title }) => title)).toEqual(['Five', 'Four', 'Three'])
  })

  test('leads on with a Link over REST', async () => {
    const url = '/api/search?q=quokka&limit=4&sort=date'
    const first = await site.get(url)
    const next = /^<([^>]+)>; rel="next"$/.exec(`${first.headers.link}`)?.[1] ?? ''
    const second = await site.get(next)
    expect([first.json().length, second.json().length]).toEqual([4, 3])
    expect(second.headers.link).toBeUndefined()
  })
})

describe('a word that very many videos have', () => {
  const COUNT = 2500
  beforeAll(async () => {
    await site.db.transaction().execute(async (transaction) => {
      for (let index = 0; index < COUNT; index++) {
        await site.addVideo(
          ann,
          {
            title: index % 2 ? `Quoll ${index}` : `Something ${index}`,
            description: 'quoll',
            category: index % 5 ? 'Minecraft' : 'Rainbow Six',
            // The oldest were seen most, and came last.
            viewCount: COUNT - index,
            publishedAt: new Date(Date.UTC(2025, 0, 1) - index * 60_000).toISOString(),
          },
          transaction,
        )
      }
    })
  })
  const first = async (input: object) => {
    const { items, total } = await search({ q: 'quoll', limit: 3, ...input })
    return [total, ...items.map((video) => video.title)]
  }

  test.each([
    ['views', {}, ['Something 0', 'Quoll 1', 'Something 2']],
    ['date', {}, ['Something 0', 'Quoll 1', 'Something 2']],
    ['relevance', {}, ['Quoll 1', 'Quoll 3', 'Quoll 5']],
    ['views', { q: 'quol' }, ['Something 0', 'Quoll 1', 'Something 2']],
    ['views', { q: 'q' }, ['Something 0', 'Quoll 1', 'Something 2']],
    ['views', { q: 'qoull' }, ['Something 0', 'Quoll 1', 'Something 2']],
  ])('by %s %o begins with the right ones, however old', async (sort, more, expected) => {
    expect(await first({ sort, ...more })).toEqual([1000, ...expected])
  })

  test('is narrowed to a category', async () => {
    const expected = ['Something 0', 'Quoll 5', 'Something 10']
    expect(await first({ sort: 'views', category: 'Rainbow Six' })).toEqual([500, ...expected])
    expect((await first({ category: 'Rainbow Six' }))[1]).toBe('Quoll 5')
  })

  test('gives a thousand results in pages, and no more', async () => {
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const page: Found = await search({ q: 'quoll', limit: 100, cursor })
      seen.push(...page.items.map((video) => video.id))
      cursor = page.nextCursor
    } while (cursor)
    expect([seen.length, new Set(seen).size]).toEqual([1000, 1000])
    expect(await search({ q: 'quoll', cursor: '9000' })).toMatchObject({ items: [] })
  })

  test('follows the views', async () => {
    const { items } = await search({ q: 'quoll 2499', limit: 1 })
    const id = items[0]?.id ?? 0
    await site.db.updateTable('videos').set({ viewCount: 9999 }).where('id', '=', id).execute()
    expect((await first({ sort: 'views' }))[1]).toBe('Quoll 2499')
    expect((await first({}))[1]).toBe('Quoll 2499')
  })

  test.skipIf(isOnPostgres)('is sorted by an index alone', async () => {
    for (const column of ['viewCount', 'publishedAt']) {
      const { rows } = await sql<{ detail: string }>`EXPLAIN QUERY PLAN
        SELECT id FROM videos WHERE ${isPublicVideo}
        ORDER BY ${sql.ref(column)} DESC, id DESC LIMIT 9`.execute(site.db)
      expect(rows[0]?.detail).toMatch(/^SCAN videos USING COVERING INDEX/)
      expect(rows.map((row) => row.detail)).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    }
  })
})

describe('the thread', () => {
  test.skipIf(isOnPostgres)(
    'that dies is started again, and what it was asked is answered',
    async () => {
      await search({ q: 'zeppelin' })
      const before = site.deps.searcher.thread()
      const asked = Array.from({ length: 5 }, () => search({ q: 'zeppelin' }))
      await before?.terminate()
      for (const found of await Promise.all(asked)) expect(found.total).toBe(3)
      expect(await search({ q: 'zeppelin' })).toMatchObject({ total: 3 })
      expect(site.deps.searcher.thread()).not.toBe(before)
    },
  )

  test('sees what was committed a moment ago', async () => {
    for (let round = 0; round < 5; round++) {
      await site.addVideo(ann, { title: `Echidna ${round}` })
      expect(await search({ q: 'echidna' })).toMatchObject({ total: round + 1 })
    }
  })

  test('does not start before it is asked, and refuses when too many wait', async () => {
    const searcher = createSearcher({ db: site.db, dataFolder: site.dataFolder })
    expect(searcher.thread()).toBeUndefined()
    const answers = await Promise.allSettled(
      Array.from({ length: 300 }, () =>
        searcher.findSuggestions({ q: 'zepp', audience: 'everybody' }),
      ),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(100)
    expect(refused[0]?.reason).toMatchObject({ kind: 'busy', retryAfterSeconds: 1 })
    await searcher.stop()
    await expect(
      searcher.findSuggestions({ q: 'zepp', audience: 'everybody' }),
    ).rejects.toMatchObject({ kind: 'busy' })
  })
})

describe('suggestions', () => {
  type Suggestions = { kind: string; text: string; id?: number }[]
  const suggest = async (q: string, as?: TestMember) =>
    (await ask<Suggestions>(as, 'search.suggest', { q })).map(({ kind, text }) => `${kind} ${text}`)

  test('are games, tags, channels and titles that have words beginning so', async () => {
    const wallaby = await site.addMember('wallaby')
    await site.addVideo(wallaby, { title: 'A wallaby jumps', tags: '["wallabies"]', viewCount: 2 })
    await site.addVideo(ann, { title: 'Two WALLABIES', viewCount: 1 })
    await site.addVideo(ann, { title: 'Two wallabies', viewCount: 5 })
    expect(await suggest('walla')).toEqual([
      'tag wallabies',
      'channel wallaby',
      'video Two wallabies',
      'video A wallaby jumps',
    ])
    expect(await suggest('two wal')).toEqual(['video Two wallabies'])
    expect((await suggest('rainbow s'))[0]).toBe('game Rainbow Six')
    expect((await suggest('mine'))[0]).toBe('game Minecraft')
    expect(await suggest('#wallab')).toContain('tag wallabies')
  })

  test('name games, tags, channels and titles in whichever spelling they are typed', async () => {
    const wizard = await site.addMember('wizard')
    await answerOf(site, {
      ...{ as: wizard, name: 'settings.editProfile' },
      input: { displayName: 'Grand-Wizard 魔法使い' },
    })
    const tags = '["sci-fi","Ćwiczenia"]'
    await site.addVideo(wizard, { title: 'Ｓｃｉ-Ｆｉ 短編映画', tags })
    const channel = 'channel Grand-Wizard 魔法使い'
    for (const q of ['wizrd', 'wizzard', 'grandwiz', 'grand wizard', '法使', 'マホウ']) {
      expect(await suggest(q), q).toEqual(q === 'マホウ' ? [] : [channel])
    }
    for (const q of ['scifi', 'sci-f', 'SCI FI', '#sci']) {
      expect(await suggest(q), q).toEqual(['tag sci-fi', 'video Ｓｃｉ-Ｆｉ 短編映画'])
    }
    expect(await suggest('cwicz')).toEqual(['tag Ćwiczenia'])
    expect(await suggest('編映')).toEqual(['video Ｓｃｉ-Ｆｉ 短編映画'])
    expect((await suggest('rainbowsix'))[0]).toBe('game Rainbow Six')
  })

  test('and results name a channel whose name was mistyped, also one whose words many titles are mistaken for', async () => {
    const crane = await site.addMember('crane')
    await site.addVideo(crane, { title: 'Building' })
    for (const title of ['Crate', 'Craze', 'Crave']) {
      for (let count = 0; count < 2; count++) await site.addVideo(ann, { title })
    }
    const channels = async (q: string) =>
      (await ask<{ username: string }[]>(undefined, 'search.channels', { q })).map(
        ({ username }) => username,
      )
    expect(await channels('craxe')).toEqual(['crane'])
    expect(await channels('cran')).toEqual(['crane'])
    expect(await suggest('craxe')).toContain('channel crane')
    expect(await channels('carxe')).toEqual([])
    expect(await channels('★')).toEqual([])
  })

  test('and results name a channel whose name ends in a number, mistyped before it', async () => {
    const walrus = await site.addMember('walrus93')
    await site.addVideo(walrus, { title: 'Ice' })
    for (const q of ['walrs', 'warlus', 'wallrus', 'walros']) {
      const found = await answerOf<{ username: string }[]>(site, {
        ...{ name: 'search.channels', input: { q } },
      })
      expect(
        found.map(({ username }) => username),
        q,
      ).toEqual(['walrus93'])
      expect(await suggest(q), q).toContain('channel walrus93')
    }
  })

  test('are at most eight, and none for nothing known', async () => {
    for (let index = 0; index < 12; index++) await site.addVideo(ann, { title: `Dingo ${index}` })
    expect(await suggest('dingo')).toHaveLength(8)
    expect(await suggest('xyzzyx')).toEqual([])
    expect(await suggest('★')).toEqual([])
    const blank = await call(undefined, 'search.suggest', { q: '  ' })
    expect(blank.statusCode).toBe(400)
  })

  test('never show what others may not see, nor whose an anonymous video is', async () => {
    const wendy = await site.addMember('wendywombat')
    const video = { title: 'Bandicoot', tags: '["bandicoots"]' }
    const id = await site.addVideo(wendy, { ...video, contentApproved: 0 })
    const change = (fields: object) =>
      site.db.updateTable('videos').set(fields).where('id', '=', id).execute()
    const everything = async () => [
      ...(await suggest('bandi')),
      ...(await suggest('wendy')),
      ...(await suggest('bandi', wendy)),
      ...(await suggest('wendy', admin)),
    ]
    expect(await everything()).toEqual([])
    for (const processingState of ['processing', 'failed', 'deleting']) {
      await change({ contentApproved: 1, processingState })
      expect(await everything()).toEqual([])
    }
    await change({ processingState: 'ready', isAnonymous: 1 })
    expect(await suggest('bandi')).toEqual(['tag bandicoots', 'video Bandicoot'])
    expect(await suggest('wendy')).toEqual([])
    await change({ isAnonymous: 0 })
    expect(await suggest('wendy')).toEqual(['channel wendywombat'])
    await answerOf(site, {
      ...{ as: admin, name: 'moderation.ban' },
      input: { userId: wendy.id, reason: 'Not ours' },
    })
    expect(await everything()).toEqual([])
    expect(await titles('bandicoot')).toEqual([])
  })
})

describe('the index', () => {
  const edit = (id: number, change: object) => ask(ann, 'video.edit', { id, ...change })
  const moderate = (name: string, input: object) => ask(admin, name, input)
  const count = async (q: string) => (await search({ q })).total

  /** Rows of the index against the videos that everybody may see. */
  async function expectIndexOfPublicVideos() {
    const indexed = sql`SELECT ${sql.id(isOnPostgres ? 'videoId' : 'rowid')} AS "id" FROM "videoSearch"`
    const expected = sql`SELECT "id" FROM "videos"
      WHERE "processingState" = 'ready' AND "contentApproved" = 1`
    const { rows } = await sql`
      SELECT "id" FROM (${indexed} EXCEPT ${expected}) AS "more"
      UNION ALL SELECT "id" FROM (${expected} EXCEPT ${indexed}) AS "fewer"`.execute(site.db)
    expect(rows).toEqual([])
  }

  test('follows edits of title, description and tags', async () => {
    const id = await site.addVideo(ann, { title: 'Aardvark' })
    expect(await count('aardvark')).toBe(1)
    await edit(id, { title: 'Wombat', description: 'digging', tags: ['burrow'] })
    expect([await count('aardvark'), await count('wombat')]).toEqual([0, 1])
    expect([await count('digging'), await count('burrow')]).toEqual([1, 1])
    await edit(id, { category: 'Minecraft' })
    expect(await titles('wombat', { category: 'Minecraft' })).toEqual(['Wombat'])
    await edit(id, { description: '', tags: [] })
    expect([await count('digging'), await count('burrow')]).toEqual([0, 0])
    await expectIndexOfPublicVideos()
  })

  test('has only what everybody may see, also for its owner and admins', async () => {
    const hidden = [
      await site.addVideo(ann, { title: 'Platypus one', contentApproved: 0 }),
      await site.addVideo(ann, { title: 'Platypus two', processingState: 'processing' }),
      await site.addVideo(ann, { title: 'Platypus three', processingState: 'failed' }),
    ]
    for (const as of [undefined, ann, admin]) {
      expect(await search({ q: 'platypus' }, as)).toMatchObject({ total: 0, items: [] })
    }
    await moderate('moderation.approve', { id: hidden[0] })
    expect(await titles('platypus')).toEqual(['Platypus one'])
    await moderate('moderation.reject', { id: hidden[0], reason: 'Not ours' })
    expect(await count('platypus')).toBe(0)
    await expectIndexOfPublicVideos()
  })

  test('follows deletion', async () => {
    const id = await site.addVideo(ann, { title: 'Numbat' })
    await ask(ann, 'video.delete', { id })
    expect(await count('numbat')).toBe(0)
    await expectIndexOfPublicVideos()
  })

  test('follows a channel’s name, and forgets it on anonymous videos', async () => {
    const carl = await site.addMember('carl')
    const id = await site.addVideo(carl, { title: 'Bilby' })
    const rename = (displayName: string) => ask(carl, 'settings.editProfile', { displayName })
    await rename('Cassowary Carl')
    expect(await titles('cassowary')).toEqual(['Bilby'])
    await ask(carl, 'video.edit', { id, isAnonymous: true })
    expect([await count('cassowary'), await count('carl'), await count('bilby')]).toEqual([0, 0, 1])
    await ask(carl, 'video.edit', { id, isAnonymous: false })
    await rename('Emu Carl')
    expect([await count('cassowary'), await count('emu')]).toEqual([0, 1])
    await site.db.deleteFrom('users').where('id', '=', carl.id).execute()
    expect(await count('bilby')).toBe(0)
    await expectIndexOfPublicVideos()
  })

  test('is the same when it is made again', async () => {
    const queries = ['zeppelin', 'quokka', 'майнкрафт', 'wombat', 'platypus', 'ann', 'zepelin', 'a']
    const answers = () => Promise.all(queries.map((q) => search({ q, limit: 100 })))
    const words = isOnPostgres
      ? sql`SELECT "word", "ndoc", "nentry" FROM ts_stat('SELECT "text" FROM "videoSearch"') ORDER BY 1`
      : sql`SELECT "term", "doc", "cnt" FROM "temp"."videoTerms" ORDER BY 1`
    const counts = sql`SELECT "term", "videoCount" FROM "searchTerms" ORDER BY 1`
    const terms = async () => [
      (await words.execute(site.db)).rows,
      (await counts.execute(site.db)).rows,
    ]
    if (!isOnPostgres) {
      await sql`CREATE VIRTUAL TABLE "temp"."videoTerms" USING "fts5vocab" ("main", "videoSearch", "row")`.execute(
        site.db,
      )
    }
    const before = { answers: await answers(), terms: await terms() }
    await rebuildSearchIndex(site.db)
    expect({ answers: await answers(), terms: await terms() }).toEqual(before)
    await expectIndexOfPublicVideos()
  })

  test('is not written when a video is viewed or rated', async () => {
    const version = async () => {
      await site.index()
      const state = site.db.selectFrom('searchState').select('changes')
      return (await state.executeTakeFirstOrThrow()).changes
    }
    const before = await version()
    const id = await site.addVideo(ann, { title: 'Kookaburra', contentApproved: 0 })
    await ask(admin, 'moderation.approve', { id })
    const after = await version()
    expect(after).toBeGreaterThan(before)
    await site.db.updateTable('videos').set({ viewCount: 7 }).where('id', '=', id).execute()
    await ask(admin, 'like.set', { videoId: id, isLike: true })
    expect(await version()).toBe(after)
  })
})
