import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { countOf } from '#shared/text/format.ts'
import { findContainedFile } from './contained-file.ts'
import { readFireshareDatabase } from './fireshare-database.ts'
import { describeFireshareVideo } from './fireshare-video.ts'
import type { ForeignVideo, ImportSource } from './foreign-library.ts'

const DATABASE = 'db.sqlite'

export const fireshare: ImportSource = {
  usage: 'DATA_FOLDER [--videos FOLDER]',
  options: ['videos'],

  async read({ path: folder, options, categories, disk }) {
    const { databasePath, root } = await findFolders(
      folder,
      options.videos && resolve(options.videos),
    )
    const { videos, damaged, images } = await readFireshareDatabase(databasePath, disk)
    const described = videos.map((video): ForeignVideo => {
      const { id, path, createdAt: publishedAt, views, crop } = video
      const findFile = () => findContainedFile({ root, path })
      const described = describeFireshareVideo(video, categories)
      const fileName = basename(path)
      return { id, path, fileName, publishedAt, views, crop, findFile, ...described }
    })
    const timeOf = ({ publishedAt }: ForeignVideo) => publishedAt?.getTime() ?? 0
    const sentence = 'Its row in the database is damaged.'
    return {
      videos: described.sort((one, other) => timeOf(one) - timeOf(other)),
      playlists: [],
      problems: damaged.map((path) => ({ path, sentence })),
      notes:
        images > 0
          ? [`${countOf(images, 'image')} of Fireshare cannot come: this is a video site.`]
          : [],
    }
  },
}

/** @throws CommandError naming what is missing */
async function findFolders(folder: string, videos: string | undefined) {
  const databasePath = [join(folder, DATABASE), join(folder, 'data', DATABASE)].find(existsSync)
  if (!databasePath) throw new CommandError(`There is no ${DATABASE} in ${folder}.`)
  const usual = [join(folder, 'videos'), join(folder, '..', 'videos')]
  const videosFolder = videos ?? usual.find(existsSync)
  if (videosFolder === undefined) {
    throw new CommandError('The folder of videos was not found. Name it: --videos FOLDER')
  }
  const isFolder = await stat(videosFolder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new CommandError(`There is no folder ${videosFolder}.`)
  return { databasePath, root: await realpath(videosFolder) }
}
