import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

const changelogSectionSchema = z.object({
  version: z.string(),
  date: z.string().nullable(),
  changes: z.array(z.object({ kind: z.string(), entries: z.array(z.string()) })),
})
export type ChangelogSection = z.infer<typeof changelogSectionSchema>

export const releaseSchema = z.object({
  version: z.string(),
  /** Commit of the build. */
  commit: z.string().nullable(),
  /** Changes since another version ran; null once read. */
  news: z.object({ since: z.string(), sections: z.array(changelogSectionSchema) }).nullable(),
  /** Null if the update check is disabled. */
  update: z
    .object({
      askedAt: timestampSchema.nullable(),
      newest: z.object({ version: z.string(), url: z.string().nullable() }).nullable(),
      isNewer: z.boolean(),
    })
    .nullable(),
})
export type Release = z.infer<typeof releaseSchema>
