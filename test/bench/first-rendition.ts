import type { Benchmark } from './benchmark.ts'
import { atMostTimes } from './goal.ts'
import { runJobs } from './media-jobs.ts'
import { recording } from './seeded-site.ts'

const SECONDS = 60

export const firstRendition: Benchmark = {
  name: 'first-rendition',
  title: `From the end of its upload until ${SECONDS} s of 1080p60 in an AVI play`,
  long: true,
  async run(input) {
    const path = await recording(input, { container: 'avi', seconds: SECONDS })
    const { prepare, transcode, total } = await runJobs(path, input.workFolder)
    return [
      {
        ...{
          row: 'first-rendition',
          what: 'first playable rendition',
          unit: 's',
          ours: prepare + transcode,
        },
        ...{ floorName: 'the whole ladder', floor: total },
        goal: atMostTimes(0.5),
      },
    ]
  },
}
