import { type Benchmark, type BenchmarkInput, type Measurement, takeTurns } from './benchmark.ts'
import { findFfmpeg, runFfmpeg } from './ffmpeg-ladder.ts'
import { atMostTimes } from './goal.ts'
import { type JobTimes, runJobs } from './media-jobs.ts'
import { recording } from './seeded-site.ts'

const SECONDS = 30
/** Minutes of work are steady enough, and nobody waits for more of them. */
const ROUNDS = 1

export const ladder: Benchmark = {
  name: 'ladder',
  title: `The ladder of ${SECONDS} s of 1080p60, beside the ffmpeg command doing it in one pass`,
  async run(input) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) input.note('  without a floor: there is no ffmpeg command here')
    return [
      await compare(input, { container: 'avi', ffmpeg }),
      await compare(input, { container: 'mp4', ffmpeg }),
    ]
  },
}

async function compare(
  input: BenchmarkInput,
  { container, ffmpeg }: { container: 'avi' | 'mp4'; ffmpeg: string | undefined },
): Promise<Measurement> {
  const { workFolder } = input
  const path = await recording(input, { container, seconds: SECONDS })
  const source = { path, copiesLargest: container === 'mp4' }
  let last: JobTimes | undefined
  const seconds = await takeTurns<string, number>(
    {
      ...(ffmpeg && { ffmpeg: () => runFfmpeg(source, workFolder) }),
      ours: async () => {
        last = await runJobs(path, workFolder)
        return last.total
      },
    },
    (time) => time,
    ROUNDS,
  )
  const first = last?.transcode ? `${last.transcode.toFixed(1)} s of it until it plays, ` : ''
  return {
    what: container === 'avi' ? 'ladder, every step encoded' : 'ladder, the largest step copied',
    ...{ row: 'ladder', unit: 's', ours: seconds.ours as number },
    ...{ floorName: ffmpeg ? `ffmpeg ${ffmpeg}` : null, floor: seconds.ffmpeg ?? null },
    goal: atMostTimes(1.15),
    remark: `${first}with sprites, loudness and a file to share`,
  }
}
