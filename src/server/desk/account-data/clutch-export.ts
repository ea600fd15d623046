import { timestamp } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { type Described, describeClips, describeVideos, listPictures } from './own-media.ts'
import { type findProfile, SECTIONS } from './sections.queries.ts'
import type { DataRow } from './table-section.queries.ts'
import { ExportLostError, type ExportWriter, VIDEOS_PERCENT, withFlags } from './write-export.ts'

export type ExportDeps = Pick<AppDeps, 'config' | 'db' | 'media' | 'closing'>
export type ExportInput = {
  writer: ExportWriter
  /** The member without admin rights, because these concern the data of others. */
  person: Viewer
  profile: NonNullable<Awaited<ReturnType<typeof findProfile>>>
  /** Adds the files, keeps the progress, and ends when the server stops. */
  described: (found: AsyncGenerator<Described>) => AsyncGenerator<DataRow>
}

/** Writes everything that the site knows about the member, as `account.json`. */
export async function writeClutchExport(deps: ExportDeps, input: ExportInput): Promise<void> {
  const { db, closing } = deps
  const { writer, person, profile, described } = input
  const { avatarUrl, bannerUrl, ...facts } = profile
  const pictures = await listPictures(deps, { avatar: avatarUrl, banner: bannerUrl })
  writer.addFiles(pictures)
  const files = pictures.map(({ path }) => path)
  writer.beginFile('account.json')
  await writer.add('madeAt', timestamp())
  await writer.add('profile', { ...withFlags(facts), files })
  await writer.addList('videos', described(describeVideos(deps, { person })))
  await writer.addList('clips', described(describeClips(deps, { person })))
  for (const [index, { name, read }] of SECTIONS.entries()) {
    writer.setPercent(VIDEOS_PERCENT + ((100 - VIDEOS_PERCENT) * index) / SECTIONS.length)
    await writer.addList(name, rowsOf(read(db, person)))
    failpoint('data-export.section-written')
  }
  await writer.endFile()

  async function* rowsOf(pages: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow> {
    for await (const rows of pages) {
      if (closing.aborted) throw new ExportLostError()
      yield* rows
    }
  }
}
