import { forEachBatch } from '#server/platform/db/batches.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { listKnownMedia, listOpenUploads } from './media-folder.queries.ts'
import { listStrayFiles, strayKey } from './stray-files.queries.ts'

type Deps = Pick<AppDeps, 'db' | 'media'>
type Area = keyof typeof LIST_KNOWN

const LIST_KNOWN = { media: listKnownMedia, uploads: listOpenUploads }
const AT_A_TIME = 500

export async function removeDeletedCopies(deps: Deps): Promise<void> {
  await removeCopiesIn(deps, 'media')
  await removeCopiesIn(deps, 'uploads')
}

async function removeCopiesIn({ db, media: { remote } }: Deps, area: Area): Promise<void> {
  if (!remote) return
  await forEachBatch(groupByFolder(remote.listCopies(), area), {
    size: AT_A_TIME,
    work: async (folders) => {
      const names = folders.map(({ name }) => name)
      const known = await LIST_KNOWN[area](db, names)
      const gone = names.filter((name) => !known.includes(name)).map((name) => `${area}/${name}/`)
      const strays = area === 'media' ? await listStrayFiles(db, folders) : []
      for (const prefix of [...gone, ...strays.map(strayKey)]) await remote.removeCopies(prefix)
    },
  })
}

function groupByFolder(keys: string[], area: Area) {
  const folders = new Map<string, Map<string, number>>()
  for (const [first, name = '', ...rest] of keys.map((key) => key.split('/'))) {
    if (first !== area) continue
    folders.set(name, (folders.get(name) ?? new Map()).set(rest.join('/'), 0))
  }
  return [...folders].map(([name, files]) => ({ name, files }))
}
