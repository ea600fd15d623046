import type { Database } from '#server/platform/db/database.ts'
import { listCategories } from '#server/platform/site/site.queries.ts'
import { titleRule } from '#shared/field-rules.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import type { SuggestedDetails, SuggestUploadDetails } from '#shared/schemas/upload.schemas.ts'

/** Follows the rules of the upload page. The title is valid for any file name. */
export async function suggestDetails(
  db: Database,
  { fileName, ...given }: SuggestUploadDetails,
): Promise<SuggestedDetails> {
  const folder = given.folder ?? undefined
  const modifiedAt = given.modifiedAt ?? undefined
  const utcOffsetMinutes = given.utcOffsetMinutes ?? undefined
  const categories = await listCategories(db)
  const read = readRecordingName(fileName, { categories, folder, modifiedAt, utcOffsetMinutes })
  const isUsable = read && !titleRule(read.title)
  return {
    title: isUsable ? read.title : titleOfFile(fileName),
    category: read?.category ?? null,
    game: read?.game ?? null,
  }
}
