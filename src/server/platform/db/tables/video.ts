import type { Generated, Insertable, Selectable } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

export interface VideosTable {
  id: Generated<number>
  userId: number
  uploadId: string | null
  /** Folder below `media/`. */
  mediaKey: string
  /** In addresses instead of the folder, once the video became less visible. */
  addressKey: string | null
  /** Applies once it is published. */
  visibility: Default<Visibility>
  /** If set on a `private` video, the members of this squad see it instead of named members. */
  squadId: number | null
  /** Where the site allows it. */
  allowsDownload: Default<Flag>
  downloadCount: Default<number>
  expiresAt: string | null
  expiryAction: 'private' | 'delete' | null
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
  rejectionReason: string | null
  hlsUrl: string | null
  /** WebVTT from times to parts of pictures. */
  storyboardUrl: string | null
  /** Progressive MP4 that chats play inline. */
  shareUrl: string | null
  /** WebP. */
  cardUrl: string | null
  /** Base64 of a tiny WebP picture; empty where none can be made. */
  preview: string | null
  /** Integrated, EBU R 128. */
  loudnessLufs: number | null
  /** ISO 639; null if not declared. */
  soundLanguage: string | null
  /** Since the last approval. */
  resubmissionCount: Default<number>
  /** By an admin, or with a banned owner. */
  withheld: 'hidden' | 'banned' | null
  commentsOff: Default<Flag>
  /** For members other than the owner. */
  allowsClips: Default<Flag>
  allowsClipVideos: Default<Flag>
  allowsReactions: Default<Flag>
  /** Sum of `mediaFiles` without the original; kept by triggers. */
  listedBytes: Default<number>
  /**
   * Parts of `storageBytes`, kept by triggers: clip files, charged to their makers, and the owner's
   * by kind.
   */
  clipBytes: Default<number>
  captionBytes: Default<number>
  pictureBytes: Default<number>
  shareBytes: Default<number>
}

/** Without the original upload. */
export interface MediaFilesTable {
  videoId: number
  /** Never reused in a video. */
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
  /** Null in old rows. */
  bytes: number | null
  /** Hexadecimal; null in old rows until first read. */
  sha256: string | null
  /** When a better one replaced it; viewers may need it for a while. */
  retiredAt: string | null
  /** Pays for a clip's file; null for the owner's files. */
  makerId: number | null
}

/**
 * Hashes of files without a row in `mediaFiles`: originals, and pictures of channels and the site. Valid
 * while the file exists.
 */
export interface FileHashesTable {
  mediaKey: string
  name: string
  bytes: number
  sha256: string
}

export interface RenditionsTable {
  videoId: number
  /** Short side, such as 1080. */
  name: number
  width: number
  height: number
  frameRate: number
  /** Bits per second: peak and average. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  /** Not encoded again. */
  copied: Flag
}

/** As audio files, without the first sound of the video. */
export interface SoundTracksTable {
  videoId: number
  /** From 2; from 1 where the video begins with a mix. */
  number: number
  file: string
  /** ISO 639. */
  language: string | null
}

/** Of videos with several tracks. */
export interface SoundNamesTable {
  videoId: number
  /** From 1. */
  number: number
  /** The recorder's, unless it identifies a person. */
  name: string | null
  kind: 'game' | 'voice' | 'chat' | 'music' | null
}

/** JSON of `SoundMix`; null for the first track alone. */
export interface SoundMixesTable {
  videoId: number
  /** The owner's choice. */
  wanted: string | null
  /** The first sound of the video, before the recorded tracks. */
  made: string | null
}

/** WebVTT, the owner's or the recording's. */
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

/** Lower case; kept by triggers. */
export interface VideoTagsTable {
  tag: string
  videoId: number
}

export type VideoRow = Selectable<VideosTable>
export type NewVideoRow = Insertable<VideosTable>

export interface VideoMembersTable {
  videoId: number
  userId: number
}

export interface ShareLinksTable {
  id: Generated<number>
  /** Exactly one of the two. */
  videoId: number | null
  playlistId: number | null
  /** SHA-256 of the link's token, in hexadecimal. */
  tokenHash: string
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
