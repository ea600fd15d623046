const HASH = /^(comment|post|member|video)-([1-9]\d{0,15})$/

export const commentHash = (id: number) => `comment-${id}`
export const postHash = (id: number) => `post-${id}`

export const videoHash = (id: number) => `video-${id}`

export const memberHash = (id: number) => `member-${id}`

export const commentOfHash = (hash: string) => idOfHash(hash, 'comment')
export const postOfHash = (hash: string) => idOfHash(hash, 'post')
export const videoOfHash = (hash: string) => idOfHash(hash, 'video')
export const memberOfHash = (hash: string) => idOfHash(hash, 'member')

function idOfHash(hash: string, noun: 'comment' | 'post' | 'member' | 'video'): number | undefined {
  const [, named, id] = HASH.exec(hash) ?? []
  return named === noun ? Number(id) : undefined
}
