import { createHash } from 'node:crypto'
import { CommandError } from '#server/platform/errors.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import { fileNameOfAddress } from '#shared/text/file-name.ts'
import { describeVideo } from './describe-video.ts'
import { findDownload } from './download.ts'
import type { ImportSource } from './foreign-library.ts'

/** The address of one file. */
export const address: ImportSource = {
  usage: 'https://HOST/FILE [--title TITLE]',
  options: ['title'],

  async read({ given, options, categories, maxBytes, ...deps }) {
    const url = URL.parse(given)
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new CommandError(`${given} is no address that begins with https://.`)
    }
    const fileName = fileNameOfAddress(url.href)
    const usual = readRecordingName(fileName, { categories })
    const { details, notes } = describeVideo(
      {
        ...{ path: fileName, title: options.title ?? usual?.title ?? '', description: '' },
        ...{ games: usual?.category ? [usual.category] : [], tags: [] },
      },
      categories,
    )
    const wanted = { url: url.href, maxBytes, followsHosts: true }
    const video = {
      id: createHash('sha256').update(url.href).digest('hex'),
      // What follows the path may be a key.
      path: `${url.origin}${url.pathname}`,
      ...{ fileName, details, notes, publishedAt: undefined, views: 0 },
      findFile: () => findDownload(deps, wanted),
    }
    return { videos: [video], playlists: [], problems: [], notes: [] }
  },
}
