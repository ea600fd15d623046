type Page = { nextCursor: string | null }

/** Options of a paged query; a page is null where its list does not exist. */
export const nextPage = {
  getNextPageParam: (page: Page | null) => page?.nextCursor ?? undefined,
}
