import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE, TABLET } from '#test/support/browser.ts'
import { longTest } from '#test/support/long-form.ts'
import { auditPage } from '#test/support/page-check.ts'
import { register } from '#test/support/page-member.ts'
import { setUpHostedSite } from '#test/support/set-up-hosted-site.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const server = setUpHostedSite()

test('the sidebar shows where one is', async () => {
  const { page } = await server.open()
  await register(page, 'sidney')
  await page.goto('/')
  const main = page.getByRole('navigation', { name: 'Main' })
  const current = () => main.locator('[aria-current=page]').innerText()
  await expect.poll(current).toBe('Home')
  await main.getByText('No subscriptions yet').waitFor()
  for (const name of ['Subscriptions', 'History', 'Upload', 'Studio']) {
    await main.getByRole('link', { name }).waitFor()
  }
  await page.goto('/upload-chunked')
  await expect.poll(current).toBe('Upload')
})

longTest('without JavaScript the page says so, where it can be read', async () => {
  const context = await server.browser.newContext({ javaScriptEnabled: false })
  for (const path of ['/', '/explore']) {
    const page = await context.newPage()
    await page.goto(`${server.origin}${path}`)
    // Fails where something lies over it.
    await page.locator('noscript p').click({ trial: true, timeout: 10_000 })
  }
  await context.close()
})

longTest(
  'About leads to the licences of every package in the pages, each with its text',
  async () => {
    const { page } = await server.open()
    await page.goto('/')
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'About' })
      .click()
    const link = page.getByRole('link', { name: 'Licences of the software in these pages' })
    const answer = await page.request.get((await link.getAttribute('href')) ?? '')
    expect(answer.status()).toBe(200)
    expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8')
    const text = await answer.text()
    const texts = readLicences(text)
    await page.context().close()

    const expected = new Set([
      ...(await listBundled()),
      ...(await listImported()),
      'swagger-ui-dist',
    ])
    expect([...expected]).toEqual(
      expect.arrayContaining(['react-dom', 'hls.js', 'mediabunny', '@fontsource/chakra-petch']),
    )
    const LICENCE =
      /permission is hereby granted|permission to use|redistribution and use|licen[cs]e/i
    const missing = [...expected].filter((name) => !LICENCE.test(texts.get(name) ?? ''))
    expect(missing).toEqual([])
    expect(texts.get('swagger-ui-dist')).toContain('TERMS AND CONDITIONS FOR USE')
    expect(texts.get('hls.js')).toContain('The whole text of Apache-2.0 stands at swagger-ui-dist.')
    expect(texts.get('mediabunny')).toMatch(/^Source: https:.*mediabunny$/m)
    expect(texts.get('mediabunny')).toContain('Mozilla Public License Version 2.0')
    expect(texts.get('@fontsource/chakra-petch')).toContain('SIL OPEN FONT LICENSE')
    // Vite does not see the packages that are bundled in hls.js.
    const hls = join(ROOT, 'node_modules', 'hls.js', 'package.json')
    const { devDependencies } = JSON.parse(await readFile(hls, 'utf8'))
    const within = Object.keys(devDependencies).filter((name) => /^@svta|^eventemitter/.test(name))
    expect(within).toHaveLength(5)
    for (const name of within) {
      expect(text).toContain(`\n${name} ${devDependencies[name]}\nLicence: `)
      expect(texts.get(name)).toMatch(/permission is hereby granted|Apache License/i)
    }
  },
)

/** What stands below the name of each package. */
function readLicences(text: string): Map<string, string> {
  const parts = text.split(/^={80}\n(?=\S+ \d[\w.-]*\nLicence: )/m).slice(1)
  return new Map(
    parts.map((part) => [part.split(' ')[0] ?? '', part.replace(/^.*\nLicence:.*\n/, '')]),
  )
}

/** The packages with modules in what Vite built for the app and the embedded player. */
async function listBundled(): Promise<string[]> {
  const files = ['licences.json', 'licences-embed.json']
  const lists = files.map(async (file) => {
    const text = await readFile(join(ROOT, 'dist', '.vite', file), 'utf8')
    return (JSON.parse(text) as { name: string }[]).map(({ name }) => name)
  })
  return (await Promise.all(lists)).flat()
}

/** The packages that sources of the pages name, in styles too; types are not built. */
async function listImported(): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const path of glob('src/client/**/*.{ts,tsx,css}', { cwd: ROOT })) {
    const text = await readFile(join(ROOT, path), 'utf8')
    const targets = text.matchAll(
      /^(?:import (?!type)[^'";]*|\} from |@import )['"]([^'"]+)|url\("([^"]+)"\)|import\('([^']+)'\)/gm,
    )
    for (const [, plain, file, late] of targets) {
      const [name] = /^(?:@[a-z][^/]*\/)?[a-z][^/:]*/.exec(plain ?? file ?? late ?? '') ?? []
      if (name) names.add(name)
    }
  }
  return names
}

test('the search box goes to the results, but not with spaces alone', async () => {
  const { page } = await server.open()
  await page.goto('/')
  const box = page.getByRole('combobox')
  await box.fill('   ')
  await box.press('Enter')
  expect(new URL(page.url()).pathname).toBe('/')
  await box.fill(' smoke & ace 100% ')
  await box.press('Enter')
  await page.waitForURL('/search?q=smoke%20%26%20ace%20100%25')
})

longTest('a slash goes to the search from anywhere, and Escape leaves it', async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    const { page } = await server.open({ viewport })
    await page.goto('/explore')
    await page.getByRole('heading', { name: 'Explore' }).waitFor()
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Search videos' })
    await expect.poll(() => box.evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.keyboard.type('a/b')
    expect(await box.inputValue()).toBe('a/b')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.context().close()
  }
})

longTest(
  'the sidebar becomes a rail by its button, which the device remembers, and makes room on the watch page',
  async () => {
    const { page } = await server.open()
    await page.goto('/explore')
    const home = page.getByRole('navigation', { name: 'Main' })
    const width = async () => (await home.boundingBox())?.width ?? 0
    await home.waitFor()
    const whole = await width()
    await page.getByRole('button', { name: 'Collapse the sidebar' }).press('Enter')
    expect(await width()).toBeLessThan(80)
    await page.reload()
    await home.waitFor()
    expect(await width()).toBeLessThan(80)
    await page.getByRole('button', { name: 'Expand the sidebar' }).click()
    expect(await width()).toBe(whole)
    await page.goto('/video/1')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Explore' }).click()
    await page.waitForURL('/explore')
  },
)

longTest(
  'a button without words says in a tooltip what it does, to a mouse and to keys',
  async () => {
    const { page } = await server.open()
    await page.goto('/', { waitUntil: 'networkidle' })
    const button = page.getByRole('button', { name: 'Collapse the sidebar' })
    const tooltip = page.getByRole('tooltip')
    await button.hover()
    await tooltip.getByText('Collapse the sidebar').waitFor()
    await page.getByRole('main').hover()
    await tooltip.waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await tooltip.getByText('Collapse the sidebar').waitFor()
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'detached' })
  },
)

test('an unknown address says Page Not Found and leads home', async () => {
  const { page } = await server.open()
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await expect.poll(() => page.title()).toBe('Page Not Found · Clutch')
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL('/')
})

longTest(
  'a new notification reaches the bell without a reload, and is read and deleted there',
  async () => {
    const { page, problems } = await server.open()
    const channelId = await register(page, 'bella')
    await page.goto('/')
    const bell = page.getByRole('button', { name: /^Notifications/ })
    await bell.click()
    await page.getByText('No notifications').waitFor()
    await page.keyboard.press('Escape')

    const { page: fan } = await server.open()
    await register(fan, 'fanny')
    await fan.request.post('/api/subscriptions', { data: { channelId } })
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    const item = page.getByRole('listitem').filter({ hasText: 'The fanny' })
    expect(await item.getByRole('link', { name: 'View' }).getAttribute('href')).toMatch(
      /^\/profile\//,
    )
    await item.getByRole('button', { name: 'Mark as read' }).click()
    await item.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0)
    await item.getByRole('button', { name: 'Delete notification' }).click()
    await page.getByText('No notifications').waitFor()
    expect(problems).toEqual([])
    await fan.context().close()
  },
)

test('on a phone the tab bar, the drawer and the search button stand in for the sidebar', async () => {
  const { page } = await server.open({ viewport: PHONE })
  await page.goto('/')
  const tabs = page.getByRole('navigation', { name: 'Tabs' })
  for (const name of ['Home', 'Explore', 'Clips', 'Subscriptions', 'Library']) {
    await tabs.getByRole('link', { name }).waitFor()
  }
  expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'History' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Search' }).click()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
})

longTest(
  'until somebody chooses, the colour scheme is the system’s, before the first paint and as it changes',
  async () => {
    const { page } = await server.open()
    const [LIGHT, DARK] = [
      ['light', '#ffffff'],
      ['dark', '#12151c'],
    ]
    const look = () =>
      page.evaluate(() => [
        document.documentElement.dataset.mantineColorScheme,
        // As the tag says it, or as the stylesheet does.
        document
          .querySelector<HTMLMetaElement>('meta[name="theme-color"]')
          ?.content.replace(/^#fff$/, '#ffffff'),
      ])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    await expect.poll(look).toEqual(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(look).toEqual(DARK)
    await page.getByRole('button', { name: 'Appearance' }).click()
    expect(await page.getByRole('radio', { name: 'System' }).isChecked()).toBe(true)
    await page.getByText('Dark', { exact: true }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    expect((await look())[0]).toBe('dark')
    await page.reload()
    await expect.poll(look).toEqual(DARK)
    await page.getByRole('button', { name: 'Appearance' }).click()
    await page.getByText('System', { exact: true }).click()
    await expect.poll(look).toEqual(LIGHT)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload({ waitUntil: 'domcontentloaded' })
    expect(await look()).toEqual(LIGHT)
  },
)

test('the chosen colour scheme is there before the first paint of the next visit', async () => {
  const { page } = await server.open()
  const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
  await page.goto('/')
  expect(await scheme()).toBe('dark')
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByText('Light').click()
  expect(await scheme()).toBe('light')
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload({ waitUntil: 'domcontentloaded' })
  expect(await scheme()).toBe('light')
})

longTest.each([
  ['dark', '/'],
  ['light', '/'],
  ['dark', '/auth'],
  ['light', '/auth?tab=register'],
  ['light', '/no/such/page'],
])('in %s, %s has nothing that keeps anyone out', async (scheme, path) => {
  const { page } = await server.open({ viewport: TABLET })
  await page.addInitScript((chosen) => localStorage.setItem('clutch-color-scheme', chosen), scheme)
  await page.goto(path)
  await page.getByRole('main').waitFor()
  expect(await auditPage(page)).toEqual([])
})

test('the site can be installed: its manifest names icons of the sizes they have', async () => {
  const { page, problems } = await server.open()
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await (await page.request.get(address ?? '')).json()
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
  const icons: { src: string; sizes: string; purpose: string }[] = manifest.icons
  const drawn = icons.filter(({ src }) => src.endsWith('.png'))
  expect(drawn.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  const touchIcon = await page.locator('link[rel=apple-touch-icon]').getAttribute('href')
  const sizeOf = (src: string) =>
    page.evaluate(async (address) => {
      const image = new Image()
      image.src = address
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
  for (const { src, sizes } of drawn) expect(await sizeOf(src)).toBe(sizes)
  expect(await sizeOf(touchIcon ?? '')).toBe('180x180')
  for (const { url } of manifest.shortcuts) {
    expect((await page.request.get(url)).status()).toBe(200)
  }
  expect(problems).toEqual([])
})

test('on the narrow rail the menu leads to SUBSCRIPTIONS', async () => {
  const { page } = await server.open({ viewport: TABLET })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('heading', { name: 'SUBSCRIPTIONS' }).waitFor()
  await menu.getByText('No subscriptions yet').waitFor()
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open menu' }).waitFor({ state: 'hidden' })
})

longTest('on the narrow rail the channels one follows are pictures with their names', async () => {
  const { page } = await server.open({ viewport: TABLET })
  const channelId = await register(page, 'railway')
  await page.context().clearCookies()
  await register(page, 'rita')
  await page.request.post('/api/subscriptions', { data: { channelId } })
  await page.goto('/')
  const rail = page.getByRole('navigation', { name: 'Main' })
  const channel = rail.getByRole('link', { name: 'The railway' })
  await channel.waitFor()
  expect(await channel.getAttribute('title')).toBe('The railway')
  const box = await channel.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
  expect(box?.width).toBeLessThanOrEqual(72)
  await channel.click()
  await page.waitForURL(`/profile/${channelId}`)
})
