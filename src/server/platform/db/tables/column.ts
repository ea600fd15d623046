import type { Generated } from 'kysely'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

/** The table has a value for it when a row comes without one. */
export type Default<T> = Generated<T>
