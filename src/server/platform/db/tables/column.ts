import type { Generated } from 'kysely'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The database has a default for the column. */
export type Default<T> = Generated<T>
