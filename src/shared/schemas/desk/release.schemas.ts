import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

/** A version's section of the changelog. */
const changelogSectionSchema = z.object({
  version: z.string(),
  date: z.string().nullable(),
  changes: z.array(z.object({ kind: z.string(), entries: z.array(z.string()) })),
})
export type ChangelogSection = z.infer<typeof changelogSectionSchema>

export const releaseSchema = z.object({
  version: z.string(),
  /** The commit it was made from; null where that is not known. */
  commit: z.string().nullable(),
  /** What changed since another version ran here, until an admin has read it. */
  news: z.object({ since: z.string(), sections: z.array(changelogSectionSchema) }).nullable(),
  /** What the address of the settings said is the newest version; null while nothing is asked. */
  update: z
    .object({
      askedAt: timestampSchema.nullable(),
      /** Null for no answer. */
      newest: z.object({ version: z.string(), url: z.string().nullable() }).nullable(),
      isNewer: z.boolean(),
    })
    .nullable(),
})
export type Release = z.infer<typeof releaseSchema>
