import type { User } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** Actions that need a dialog, which belongs to the desk. */
export type AdminAction =
  | { kind: VideoAct | CommentAct | PostAct | MemberAct; id: number; name: string }
  | { kind: 'editVideo' | 'moveVideo'; video: Video }
  | { kind: 'editChannel'; channel: User }
type VideoAct = 'approveVideo' | 'rejectVideo' | 'hideVideo' | 'unhideVideo' | 'deleteVideo'
type CommentAct = 'approveComment' | 'hideComment' | 'unhideComment' | 'deleteComment'
type PostAct = 'approvePost' | 'hidePost' | 'unhidePost' | 'deletePost'
type MemberAct = 'warn' | 'ban' | 'unban' | 'endSessions' | 'makeAdmin' | 'unmakeAdmin'

let current: AdminAction | undefined
const listeners = new Set<() => void>()

/** Opens the dialog over any page; undefined closes it. */
export function requestAdminAction(action: AdminAction | undefined): void {
  current = action
  for (const listener of listeners) listener()
}

export function subscribeToAdminRequest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentAdminRequest(): AdminAction | undefined {
  return current
}
