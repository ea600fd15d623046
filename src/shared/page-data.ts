/** Element with the first `PageAnswers` as JSON. */
export const PAGE_DATA_ID = 'page-data'

/** Query keys and data. */
export type PageAnswers = (readonly [key: readonly unknown[], data: unknown])[]
