import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { DESKTOP, PHONE } from '#test/support/browser.ts'
import { isLongForm, quickCases } from '#test/support/long-form.ts'
import { auditPage, keepPicture, showScheme } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'
import { addVideos, writeRows } from '#test/support/site-rows.ts'

const TITLE = 'The last round'
const PEOPLE = ['visitor', 'member', 'named', 'owner', 'admin'] as const
type Person = (typeof PEOPLE)[number]

const server = setUpHostedSite()
let pages: Record<Person, Page>
let id: number

beforeAll(async () => {
  const opened = await Promise.all(
    PEOPLE.map(async (person) => {
      const { page } = await server.open({ isNew: true })
      const userId = person === 'visitor' ? 0 : await register(page, person)
      return { person, page, userId }
    }),
  )
  pages = Object.fromEntries(opened.map(({ person, page }) => [person, page])) as typeof pages
  const idOf = (who: Person) => opened.find(({ person }) => person === who)?.userId ?? 0
  const ids = await writeRows(server, async (db) => {
    await db.updateTable('users').set({ isAdmin: 1 }).where('id', '=', idOf('admin')).execute()
    return addVideos(db, [
      { userId: idOf('owner'), title: TITLE },
      { userId: idOf('owner'), title: 'Another round' },
    ])
  })
  id = ids[0] ?? 0
})

async function choose(page: Page, visibility: Visibility): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: 'Visibility' }).click()
  const { name } = VISIBILITY_WORDS[visibility]
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
}

async function openEdit(page: Page): Promise<void> {
  await page.goto('/studio')
  const card = page.getByRole('article', { name: TITLE, exact: true })
  await card.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Video' })
  await dialog.getByRole('tab', { name: 'Who can watch' }).click()
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Video updated successfully').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** What each of PEOPLE has of it: in the home list, and at its address. */
async function seenBy(where: 'list' | 'address'): Promise<string> {
  const seen: string[] = []
  for (const person of PEOPLE) {
    const page = pages[person]
    await page.goto(where === 'list' ? '/' : `/video/${id}`)
    const there = page.getByRole('heading', { name: TITLE })
    const other =
      where === 'list'
        ? page.getByRole('heading', { name: 'Another round' })
        : page.getByText('This video could not be found or is no longer available.')
    await there.or(other).first().waitFor()
    if ((await there.count()) > 0) seen.push(person)
  }
  return seen.join(' ')
}

const LEVELS: [Visibility, listed: string, opened: string][] = [
  ['members', 'member named owner admin', 'member named owner admin'],
  ['unlisted', '', 'visitor member named owner admin'],
  ['private', '', 'named owner admin'],
  ['public', 'visitor member named owner admin', 'visitor member named owner admin'],
]

test.each(quickCases(LEVELS, ['private']))(
  'a video that its owner makes %s',
  async (visibility, listed, opened) => {
    const { owner } = pages
    await openEdit(owner)
    await choose(owner, visibility)
    if (visibility === 'private') {
      const dialog = owner.getByRole('dialog', { name: 'Edit Video' })
      await dialog.getByRole('combobox', { name: 'Who else may see it' }).fill('named')
      await owner.getByRole('option', { name: /@named/ }).click()
      await dialog.getByRole('list', { name: 'May see it' }).getByText('@named').waitFor()
    }
    await save(owner)
    const card = owner.getByRole('article', { name: TITLE, exact: true })
    const { name, text } = VISIBILITY_WORDS[visibility]
    const word = card.getByText(name, { exact: true })
    if (visibility === 'public') expect(await word.count()).toBe(0)
    else await word.waitFor()
    await keepPicture(owner, `visibility studio ${visibility}`)

    expect(await seenBy('list')).toBe(listed)
    await keepPicture(pages.admin, `visibility home ${visibility}`)
    expect(await seenBy('address')).toBe(opened)
    const mark = owner.getByRole('main').getByTitle(text)
    expect(await mark.allTextContents()).toEqual(visibility === 'public' ? [] : [name])
    await keepPicture(owner, `visibility watch ${visibility}`)
  },
)

test('the dialog is readable, on a phone too, and shows what each level means', async () => {
  const { owner } = pages
  for (const viewport of isLongForm ? [DESKTOP, PHONE] : [PHONE]) {
    await owner.setViewportSize(viewport)
    await openEdit(owner)
    await choose(owner, 'private')
    await owner.getByRole('combobox', { name: 'Who else may see it' }).scrollIntoViewIfNeeded()
    expect(await auditPage(owner)).toEqual([])
    await owner.getByRole('combobox', { name: 'Visibility' }).click()
    for (const { name, text } of Object.values(VISIBILITY_WORDS)) {
      await owner.getByRole('option', { name: `${name} ${text}` }).waitFor()
    }
    for (const scheme of ['dark', 'light']) {
      await showScheme(owner, scheme)
      await keepPicture(owner, `visibility edit ${viewport.width} ${scheme}`)
    }
    await owner.keyboard.press('Escape')
  }
  await owner.setViewportSize(DESKTOP)
})

test('several videos are made less visible at once, which the message says', async () => {
  const { owner, visitor } = pages
  await owner.setViewportSize(PHONE)
  await owner.goto('/studio')
  for (const title of [TITLE, 'Another round']) {
    await owner.getByRole('checkbox', { name: `Select ${title}` }).check()
  }
  await owner.getByRole('button', { name: 'Edit selected' }).click()
  await owner.getByRole('dialog', { name: 'Edit 2 videos' }).waitFor()
  expect(await auditPage(owner)).toEqual([])
  await choose(owner, 'members')
  await keepPicture(owner, 'visibility bulk 390')
  await owner.getByRole('button', { name: 'Save Changes' }).click()
  await owner.getByText('2 videos are now Members. Everybody who is signed in.').waitFor()
  await visitor.goto('/')
  await visitor.getByText('No videos found').waitFor()
  await owner.setViewportSize(DESKTOP)
})
