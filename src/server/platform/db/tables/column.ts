import type { Generated } from 'kysely'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

export type Default<T> = Generated<T>
