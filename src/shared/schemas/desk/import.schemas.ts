import { z } from 'zod'
import { lineSchema, timestampSchema } from '../../field.schemas.ts'
import { DESK_SOURCES, IMPORT_SOURCE_NAMES } from '../../import-sources.ts'

const PATH_MAX = 4000
const pathSchema = z.string().min(1, 'Choose a folder.').max(PATH_MAX, 'The path is too long.')

const ownerSchema = lineSchema.refine((name) => name !== '', { error: 'Choose whose they become.' })

const fromFolder = z.object({
  source: z.enum(['fireshare', 'peertube', 'medal', 'steam']),
  owner: ownerSchema,
  /** In a folder of `IMPORT_FOLDERS`. */
  path: pathSchema,
  /** The folder of the recordings, if it is not where Fireshare usually has them. */
  videosPath: pathSchema.nullish(),
})
const fromMediacms = z.object({
  source: z.literal('mediacms'),
  owner: ownerSchema,
  address: lineSchema.refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'The address must begin with https://.',
  }),
  /** This value is not stored. */
  token: lineSchema.refine((token) => /^[\w.~+/=-]{1,4000}$/.test(token), {
    error: 'Enter the token of MediaCMS.',
  }),
  author: lineSchema.nullish(),
})
export const startImportSchema = z.discriminatedUnion('source', [fromFolder, fromMediacms])
export type StartImport = z.infer<typeof startImportSchema>

export const importIdSchema = z.object({ id: z.int() })

const problemSchema = z.object({ path: z.string(), sentence: z.string() })

export const importReportSchema = z.object({
  imported: z.int(),
  there: z.int(),
  bytes: z.number(),
  playlists: z.int(),
  /** The first ones. */
  problems: z.array(problemSchema),
  problemCount: z.int(),
  notes: z.array(z.string()),
})
export type ImportReport = z.infer<typeof importReportSchema>

export const importRunSchema = z.object({
  id: z.int(),
  source: z.enum(IMPORT_SOURCE_NAMES),
  given: z.string(),
  ownerName: z.string(),
  /** Otherwise it was started at the shell. */
  isFromDesk: z.boolean(),
  /** `interrupted`: the process was ended from outside. */
  state: z.enum(['running', 'stopping', 'done', 'stopped', 'interrupted', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  progress: z
    .object({ done: z.int(), all: z.int(), bytes: z.number(), allBytes: z.number() })
    .nullable(),
  report: importReportSchema.nullable(),
  error: z.string().nullable(),
  /** The input with which the import was started. The desk uses it to continue the import. */
  again: z
    .object({
      source: z.enum(DESK_SOURCES),
      owner: z.string(),
      path: z.string(),
      videosPath: z.string().nullable(),
      author: z.string().nullable(),
    })
    .nullable(),
})
export type ImportRun = z.infer<typeof importRunSchema>

export const importPlacesSchema = z.array(
  z.object({
    folder: z.string(),
    /** Folders and archives in it. */
    entries: z.array(z.string()),
    /** Why it cannot be read. */
    problem: z.string().nullable(),
  }),
)
export type ImportPlaces = z.infer<typeof importPlacesSchema>
