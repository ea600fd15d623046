const HASH = /^comment-([1-9]\d{0,15})$/

/** The fragment of an address that leads to a comment of the page. */
export const commentHash = (id: number) => `comment-${id}`

/** @returns the comment that a fragment names */
export function commentOfHash(hash: string): number | undefined {
  return Number(HASH.exec(hash)?.[1]) || undefined
}
