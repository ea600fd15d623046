import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { DESKTOP, PHONE, TABLET } from './browser.ts'

const SCREENS = join(import.meta.dirname, '..', 'artifacts', 'screens')
const AXE_PATH = createRequire(
  createRequire(import.meta.url).resolve('@axe-core/playwright'),
).resolve('axe-core/axe.min.js')
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const NARROW = { width: 1000, height: 800 }
const NARROWEST = { width: 320, height: 640 }
type Look = { scheme: 'dark' | 'light'; size: typeof DESKTOP; audit?: 'all' | 'colors' }

/** The schemes share their elements: in the second one only colours can be wrong. */
const ALL_LOOKS: Look[] = [
  { scheme: 'dark', size: DESKTOP, audit: 'all' },
  { scheme: 'dark', size: NARROW },
  { scheme: 'dark', size: TABLET },
  { scheme: 'dark', size: PHONE, audit: 'all' },
  { scheme: 'light', size: DESKTOP, audit: 'colors' },
  { scheme: 'light', size: NARROW },
  { scheme: 'light', size: TABLET },
  { scheme: 'light', size: PHONE, audit: 'colors' },
]

/** One page has the one, the next one the other. */
const QUICK_LOOKS: Look[] = [
  { scheme: 'dark', size: DESKTOP, audit: 'all' },
  { scheme: 'light', size: PHONE, audit: 'all' },
]

let turns = 0
const KEEPS_PICTURES = process.env.KEEP_PICTURES === '1'

const COLOR_RULES = ['color-contrast', 'link-in-text-block']

type AxeResult = { violations: { id: string; nodes: { html: string; target: string[] }[] }[] }
type AxeWindow = { axe?: { run: (context: object, options: object) => Promise<AxeResult> } }

let axeSource: Promise<string> | undefined

/**
 * What the rules of WCAG 2.2 AA and axe's good practice find wrong, one line each. axe is put into
 * the page once and run there: asking the builder each time takes three times as long.
 * @param options.within a selector of the only parts to look at
 */
export async function auditPage(
  page: Page,
  { rules, within }: { rules?: 'colors'; within?: string } = {},
): Promise<string[]> {
  axeSource ??= readFile(AXE_PATH, 'utf8')
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(await axeSource)
  // axe asks how long they play, and waits itself only for those that have an address from the start.
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLMediaElement>('video[autoplay], audio[autoplay]')].every(
      ({ currentSrc, duration, error }) => currentSrc === '' || duration > 0 || error,
    ),
  )
  // While a number rolls, the previous one is in sight too, which its name does not say.
  await page.waitForFunction(() => !document.querySelector('[data-roll]'))
  const runOnly = rules ? { type: 'rule', values: COLOR_RULES } : { type: 'tag', values: AXE_TAGS }
  const result = await page.evaluate(
    ([selector, options]) =>
      (window as unknown as Required<AxeWindow>).axe.run(
        selector ? { include: [[selector]] } : document,
        options,
      ),
    // What it would fetch to look at, colours do not need.
    [within, { runOnly, resultTypes: ['violations'], preload: !rules }] as const,
  )
  const found = result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => ({ id, html, selector: target.join(' ') })),
  )
  const real: string[] = []
  for (const { id, html, selector } of found) {
    if (id === 'target-size' && (await liesOverThePage(page, selector))) continue
    if (id === 'region' && (await isTooltip(page, selector))) continue
    real.push(`${id}: ${html}`)
  }
  return real
}

/** A tooltip belongs to its button, wherever in the document it stands. */
const isTooltip = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((one) => {
      const tooltip = one.closest('[role="tooltip"]') ?? one.querySelector('[role="tooltip"]')
      return tooltip !== null && [tooltip.textContent, ''].includes(one.textContent)
    })

/** Of what lies over the page axe believes that each takes a part of the other's room. */
const liesOverThePage = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((one) => {
      const opened = '[role="menu"], [role="dialog"], :popover-open'
      if (one.closest(opened)) return one.clientHeight >= 44
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return [...document.querySelectorAll(opened)].some((panel) => {
        const over = panel.getBoundingClientRect()
        return left < over.right && right > over.left && top < over.bottom && bottom > over.top
      })
    })

/** Counts what moves from now on, and while pages load that are opened later. */
export async function watchLayout(page: Page): Promise<() => Promise<string[]>> {
  const watch = () => {
    const shifts: { value: number; node: string }[] = []
    Object.assign(window, { layoutShifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      })[]) {
        const [source] = entry.sources
        const node = source?.node instanceof Element ? source.node.outerHTML.slice(0, 120) : ''
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, node })
      }
    }).observe({ type: 'layout-shift' })
  }
  await page.addInitScript(watch)
  await page.evaluate(watch)
  return async () => {
    const shifts = await page.evaluate(
      () => (window as unknown as { layoutShifts: { value: number; node: string }[] }).layoutShifts,
    )
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    return total < 0.01 ? [] : shifts.map(({ value, node }) => `${value.toFixed(3)} ${node}`)
  }
}

/** Waits until nothing on the page is still loading: skeletons, pictures in sight, the face. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isLoading = document.querySelector('.page-spinner, [aria-label^="Loading"]') !== null
    const isInSight = (image: Element) => image.getBoundingClientRect().top < innerHeight
    const pictures = [...document.images].filter(isInSight)
    return (
      !isLoading &&
      document.fonts.status === 'loaded' &&
      pictures.every((picture) => picture.complete || picture.loading === 'lazy')
    )
  })
}

/**
 * Looks at the page as it stands, in both schemes and at three widths, and answers what is wrong with it. Of what is
 * opened on a page the pictures at the middle width would show nothing new. Unless it is thorough, or pictures are
 * kept, it is looked at once: at the width and in the scheme whose turn it is.
 */
export async function inspectPage(
  page: Page,
  { name, isOpened, isThorough }: { name: string; isOpened: boolean; isThorough: boolean },
): Promise<string[]> {
  const problems: string[] = []
  const turn = QUICK_LOOKS[turns++ % QUICK_LOOKS.length]
  const looks = isThorough || KEEPS_PICTURES || !turn ? ALL_LOOKS : [turn]
  for (const { scheme, size, audit } of looks) {
    await showScheme(page, scheme)
    await resize(page, size)
    const place = `${name} ${size.width} ${scheme}`
    if (audit) {
      const found = await auditPage(page, audit === 'colors' ? { rules: 'colors' } : {})
      problems.push(...found.map((problem) => `${place}: ${problem}`))
    }
    if (audit || !isOpened) await keepPicture(page, place)
    problems.push(...(await findOutside(page)).map((problem) => `${place}: ${problem}`))
  }
  await resize(page, NARROWEST)
  const outside = await findOutside(page)
  problems.push(...outside.map((problem) => `${name} ${NARROWEST.width}: ${problem}`))
  return problems
}

/** Waits until it is drawn: what depends on the width is made again a moment later. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
  })
}

/** With KEEP_PICTURES=1, keeps one of the page as it stands, for people to look at: test/artifacts/screens. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (!KEEPS_PICTURES) return
  await mkdir(SCREENS, { recursive: true })
  const path = join(SCREENS, `${name.replaceAll(' ', '-')}.png`)
  await page.screenshot({ path, caret: 'initial' })
}

/** Shows the page dark or light, and waits until that is drawn: a colour on its way to another is neither. */
export const showScheme = (page: Page, scheme: string) =>
  page.evaluate(async (chosen) => {
    document.documentElement.dataset.mantineColorScheme = chosen
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await nextFrame()
    await nextFrame()
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(changes.map((change) => change.finished))
  }, scheme)

/** What one would have to scroll sideways for, or cannot reach at all. */
export const findOutside = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const laidOver = document.querySelectorAll(
      '[role="menu"], [role="dialog"], dialog[open], :popover-open',
    )
    const cut = [...laidOver].filter((panel) => {
      const { left, right, width } = panel.getBoundingClientRect()
      return width > 0 && (left < 0 || right > innerWidth)
    })
    return [
      ...(scrollWidth > clientWidth ? ['scrolls sideways'] : []),
      ...cut.map((panel) => `is cut off: ${panel.outerHTML.slice(0, 120)}`),
    ]
  })
