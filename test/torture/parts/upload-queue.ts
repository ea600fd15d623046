import { startBrowser } from '../../support/browser.ts'
import type { TorturePart } from '../part.ts'
import { tryQueue } from '../support/queue-trial.ts'

const FILES = 100
const BYTES = 5_000_000
const KILLS = 2

export const part: TorturePart = {
  name: 'upload-queue',
  description: '100 files dropped at once, the server killed twice, the tab reloaded once',
  deadlineMinutes: 60,
  async run({ folder, log }) {
    const browser = await startBrowser()
    try {
      const trial = { browser, folder, files: FILES, bytes: BYTES, kills: KILLS, log }
      const bytesPerSecond = 8_000_000
      const { titles, expected, killed, words } = await tryQueue({ ...trial, bytesPerSecond })
      const missing = expected.filter((title) => !titles.includes(title))
      const doubled = titles.filter((title, index) => titles.indexOf(title) !== index)
      log(`the tray says: ${words}`)
      return {
        figures: [
          { what: 'files dropped at once, 5 MB each', value: FILES },
          { what: 'kills while files travelled', value: killed.length },
          { what: 'uploads open at the kills', value: killed.map(({ open }) => open).join(', ') },
          { what: 'videos at the end', value: titles.length, limit: `exactly ${FILES}` },
          { what: 'missing, or with another title', value: missing.length, limit: 'none' },
          { what: 'there twice', value: doubled.length, limit: 'none' },
        ],
        failures: [
          ...missing.map((title) => `“${title}” is missing.`),
          ...doubled.map((title) => `“${title}” is there twice.`),
          ...(titles.length === expected.length ? [] : [`There are ${titles.length} videos.`]),
        ],
      }
    } finally {
      await browser.close()
    }
  },
}
