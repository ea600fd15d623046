import { hideComments, showComments } from './community/comment/banned-comments.service.ts'
import {
  takeBackVideo,
  tellOfPost,
  tellOfVideo,
  tellSquadOfPost,
  tellSquadOfVideo,
} from './community/notification/announcement.service.ts'
import { clearSquad } from './community/squad/squad.service.ts'
import type { LongWork } from './platform/long-work/long-work.service.ts'
import { dropReactions } from './video/reaction/reaction-drop.service.ts'
import { deleteRowsOfVideo } from './video/video/video-deletion.ts'

export const longWorks: readonly LongWork[] = [
  tellOfVideo,
  tellOfPost,
  tellSquadOfVideo,
  tellSquadOfPost,
  takeBackVideo,
  hideComments,
  showComments,
  deleteRowsOfVideo,
  clearSquad,
  dropReactions,
]
