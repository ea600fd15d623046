import type { Generated } from 'kysely'

/** SQLite has no booleans: 0 or 1. */
export type Flag = 0 | 1

export const toFlag = (value: boolean): Flag => (value ? 1 : 0)

export type Default<T> = Generated<T>
