const HASH = /^(comment|post)-([1-9]\d{0,15})$/

export const commentHash = (id: number) => `comment-${id}`
export const postHash = (id: number) => `post-${id}`

export const commentOfHash = (hash: string) => idOfHash(hash, 'comment')
export const postOfHash = (hash: string) => idOfHash(hash, 'post')

function idOfHash(hash: string, noun: 'comment' | 'post'): number | undefined {
  const [, named, id] = HASH.exec(hash) ?? []
  return named === noun ? Number(id) : undefined
}
