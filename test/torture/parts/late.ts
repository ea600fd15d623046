import { join } from 'node:path'
import { startPostgres } from '#test/support/postgres-server.ts'
import type { TorturePart } from '../part.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { stopInPuts } from '../support/late-puts.ts'
import { startS3rver } from '../support/s3rver-process.ts'
import { tidyStoppedSite } from '../support/stopped-site.ts'
import { checkMediaWhole } from '../support/whole-media.ts'

const ROUNDS = 30
const RECORDING = { width: 640, height: 480, seconds: 3, frameRate: 30 }

export const part: TorturePart = {
  name: 'late',
  description:
    'nodes stopped in the middle of a PUT, which arrives when another one has published the same',
  async run({ folder, rounds = ROUNDS, log }) {
    const material = await makeMaterial(join(folder, 'material'), RECORDING)
    const store = await startS3rver(join(folder, 'store'))
    const database = await startPostgres({ synchronous_commit: 'on' })
    const stopped = await stopInPuts({ database, store, folder, material, rounds, log })
    const { dataFolder, env, failures } = stopped
    failures.push(...(await tidyStoppedSite(dataFolder, env)))
    const media = await checkMediaWhole(dataFolder, env)
    failures.push(...media.wrong)
    await store.stop()
    await database.stop()
    return {
      figures: [
        { what: 'nodes stopped in the middle of a PUT', value: stopped.stops },
        { what: 'PUTs that arrived after others had published', value: stopped.late },
        { what: 'kinds of files', value: stopped.kinds.join(', ') },
        { what: 'videos, each plays with its ladder', value: stopped.videos },
        { what: 'files read and compared with the hashes of their rows', value: media.files },
        { what: 'files decoded from end to end', value: media.decoded },
        { what: 'playlists, each of the files of its attempt', value: media.playlists },
      ],
      failures,
    }
  },
}
