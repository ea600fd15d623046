import type { TorturePart } from '../part.ts'
import { runTests } from '../support/run-tests.ts'
import { whyNoSwift } from '../support/swift-server.ts'

export const part: TorturePart = {
  name: 'swift',
  description:
    'what a store of media does, with OpenStack Swift behind it; large files, long lists',
  async run({ folder }) {
    const skipped = await whyNoSwift(folder)
    if (skipped) return { figures: [], failures: [], skipped }
    const args = ['--config', 'test/torture/store/vitest.config.ts']
    const { tests, failures } = await runTests({ folder, args })
    return { figures: [{ what: 'tests', value: tests }], failures }
  },
}
