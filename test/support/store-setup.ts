import { relative } from 'node:path'
import { beforeEach } from 'vitest'
import { ONLY_IN_FOLDER } from './store-selection.ts'

const ROOT = `${import.meta.dirname}/../..`

/** With the media on an S3 server: skips what is only about a folder, and says why. */
beforeEach(({ task, skip }) => {
  const reasons = ONLY_IN_FOLDER[relative(ROOT, task.file.filepath)]
  if (typeof reasons !== 'object') return
  for (const [name, reason] of Object.entries(reasons)) if (task.name.startsWith(name)) skip(reason)
})
