import type { Generated, Insertable, Selectable } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

export interface VideosTable {
  id: Generated<number>
  userId: number
  uploadId: string | null
  /** The name of the video's folder below `media/`. */
  mediaKey: string
  /** Replaces the folder in addresses since the video became less visible; null for the folder's name. */
  addressKey: string | null
  /** Applies once it is published. */
  visibility: Default<Visibility>
  /** Members may download it, where the site allows that. */
  allowsDownload: Default<Flag>
  downloadCount: Default<number>
  expiresAt: string | null
  expiryAction: 'private' | 'delete' | null
  /** When the owner was notified. */
  expiryNoticedAt: string | null
  title: string
  /** Without case and accents. */
  foldedTitle: Default<string>
  description: Default<string>
  videoUrl: string | null
  thumbnailUrl: string | null
  /** Seconds. */
  duration: Default<number>
  width: number | null
  height: number | null
  /** All files in the video's folder. */
  storageBytes: Default<number>
  viewCount: Default<number>
  likeCount: Default<number>
  dislikeCount: Default<number>
  publishedAt: string
  discordEmbed: Default<Flag>
  category: Default<string>
  /** A JSON array of strings. */
  tags: Default<string>
  contentScanned: Default<Flag>
  contentApproved: Default<Flag>
  isAnonymous: Default<Flag>
  videoFileExists: Default<Flag>
  processingState: 'processing' | 'ready' | 'failed' | 'deleting'
  processingError: string | null
  /** Shown to the owner. */
  rejectionReason: string | null
  /** The master playlist. */
  hlsUrl: string | null
  /** A WebVTT file that maps times to parts of pictures. */
  storyboardUrl: string | null
  /** A progressive MP4 small enough for chat programs to play inline. */
  shareUrl: string | null
  /** WebP at card size; the JPEG beside it has the same name. */
  cardUrl: string | null
  /** Integrated, EBU R 128. */
  loudnessLufs: number | null
  /** ISO 639, of the sound in the video itself; null when the recording does not declare it. */
  soundLanguage: string | null
  /** Since the last approval. */
  resubmissionCount: Default<number>
  /** Hidden by an admin, or of a banned owner; null otherwise. */
  withheld: 'hidden' | 'banned' | null
  commentsOff: Default<Flag>
  /** Members other than the owner may make clips, and videos of those clips. */
  allowsClips: Default<Flag>
  allowsClipVideos: Default<Flag>
  /** Sum of its `mediaFiles`: the rest of `storageBytes` is the original upload; maintained by triggers. */
  listedBytes: Default<number>
  /** Parts of `storageBytes`, maintained by triggers: clip files, charged to their makers, and the owner's files by kind. */
  clipBytes: Default<number>
  captionBytes: Default<number>
  pictureBytes: Default<number>
  shareBytes: Default<number>
}

/** All served files of a video: its folder without the original upload. */
export interface MediaFilesTable {
  videoId: number
  /** In the video's folder and address; never reused within a video. */
  name: string
  kind:
    | 'video'
    | 'rendition'
    | 'playlist'
    | 'sound'
    | 'picture'
    | 'storyboard'
    | 'share'
    | 'captions'
  /** Null for rows older than this column. */
  bytes: number | null
  /** Hexadecimal; null for rows older than this column until the file was read once. */
  sha256: string | null
  /** When a better file replaced it; current viewers may still need it for a while. */
  retiredAt: string | null
  /** Maker of the clip, who is charged for the file; null for the files of the owner. */
  makerId: number | null
}

/**
 * Size and hash of stored files without a row in `mediaFiles`: original uploads, and pictures of channels and the
 * site. Files under a key never change, so a row is valid while its file exists.
 */
export interface FileHashesTable {
  mediaKey: string
  name: string
  bytes: number
  sha256: string
}

export interface RenditionsTable {
  videoId: number
  /** Short side of the picture, such as 1080. */
  name: number
  width: number
  height: number
  frameRate: number
  /** Bits per second: peak and average. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  /** The picture is copied from the upload, not encoded again. */
  copied: Flag
}

/** The second and further sound tracks, as files of sound alone. */
export interface SoundTracksTable {
  videoId: number
  /** From 2: the first track is in the video. */
  number: number
  file: string
  /** ISO 639. */
  language: string | null
}

/** Names of the sound tracks of a video with several. */
export interface SoundNamesTable {
  videoId: number
  /** From 1. */
  number: number
  /** From the recording program, unless it identifies a person. */
  name: string | null
  /** Chosen by the owner. */
  kind: 'game' | 'voice' | 'chat' | 'music' | null
}

/** From the owner or the recording, each a WebVTT file. */
export interface CaptionsTable {
  id: Generated<number>
  videoId: number
  /** A BCP 47 tag, such as 'en' or 'pt-BR'. */
  language: string
  /** Unique within a video. */
  label: string
  file: string
  createdAt: string
}

/** Lower case; maintained by triggers. */
export interface VideoTagsTable {
  tag: string
  videoId: number
}

export type VideoRow = Selectable<VideosTable>
export type NewVideoRow = Insertable<VideosTable>

/** Members who may see a private video. */
export interface VideoMembersTable {
  videoId: number
  userId: number
}

/** Links that open one video or playlist to anyone who has them. */
export interface ShareLinksTable {
  id: Generated<number>
  /** Exactly one of the two. */
  videoId: number | null
  playlistId: number | null
  /** SHA-256 of the token in the link, in hexadecimal. */
  tokenHash: string
  /** The owner's note about the recipient. */
  note: Default<string>
  /** Argon2id; null for none. */
  passwordHash: string | null
  expiresAt: string | null
  maxViews: number | null
  views: Default<number>
  createdBy: number
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}
