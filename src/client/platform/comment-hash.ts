const HASH = /^comment-([1-9]\d{0,15})$/

export const commentHash = (id: number) => `comment-${id}`

export function commentOfHash(hash: string): number | undefined {
  return Number(HASH.exec(hash)?.[1]) || undefined
}
