const HASH = /^(comment|post)-([1-9]\d{0,15})$/

/** The fragment of an address that leads to a comment of the page. */
export const commentHash = (id: number) => `comment-${id}`
/** The fragment of an address that leads to a post of a channel. */
export const postHash = (id: number) => `post-${id}`

/** @returns the comment that a fragment names */
export const commentOfHash = (hash: string) => idOfHash(hash, 'comment')
/** @returns the post that a fragment names */
export const postOfHash = (hash: string) => idOfHash(hash, 'post')

function idOfHash(hash: string, noun: 'comment' | 'post'): number | undefined {
  const [, named, id] = HASH.exec(hash) ?? []
  return named === noun ? Number(id) : undefined
}
