import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Benchmark } from './benchmark.ts'
import { atMost } from './goal.ts'
import { withBrowser } from './playback-page.ts'
import { siteOfPosters } from './seeded-site.ts'
import { startSite } from './server-child.ts'

const DIST = join(import.meta.dirname, '..', '..', 'dist')

export const pageWeight: Benchmark = {
  name: 'page-weight',
  title: 'Scripts and styles of the home page over the wire',
  async run(input) {
    const site = await startSite(await siteOfPosters(input))
    try {
      const { files, inline } = await withBrowser(async (browser) => {
        const page = await browser.newPage()
        // What is fetched ahead of a click, when nothing else is to be done, is not the page's.
        await page.addInitScript(() => {
          window.requestIdleCallback = () => 0
        })
        const found = new Set<string>()
        page.on('request', (request) => {
          const { pathname } = new URL(request.url())
          if (/\.(js|css)$/.test(pathname)) found.add(pathname)
        })
        await page.goto(site.origin, { waitUntil: 'networkidle' })
        const scripts = page.locator('script:not([src], [type$="json"])')
        return { files: found, inline: await scripts.allTextContents() }
      })
      let bytes = brotliCompressSync(inline.join('\n')).length
      for (const name of files) {
        const sent = await stat(join(DIST, `${name}.br`)).catch(() => stat(join(DIST, name)))
        bytes += sent.size
      }
      return [
        {
          ...{
            what: `JS and CSS of the home page, ${files.size} files and ${inline.length} in the page`,
            row: 'page-weight',
          },
          ...{ unit: 'kB', ours: bytes / 1000, floorName: null, floor: null },
          ...{ goal: atMost(170), remark: 'Brotli' },
        },
      ]
    } finally {
      await site.stop()
    }
  },
}
