/** The element with what the app would ask for first: `PageAnswers` as JSON. */
export const PAGE_DATA_ID = 'page-data'

/** The keys of the app's queries, and their data. */
export type PageAnswers = (readonly [key: readonly unknown[], data: unknown])[]
