import type { Generated, Insertable, Selectable } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default, Flag } from './column.ts'

export interface VideosTable {
  id: Generated<number>
  userId: number
  uploadId: string | null
  /** The name of the video's folder below `media/`. */
  mediaKey: string
  /** What stands for the folder in the addresses of its files since it became less visible; null for its name. */
  addressKey: string | null
  /** Who may see it, once it is published. */
  visibility: Default<Visibility>
  /** Members may download it, where the site allows that. */
  allowsDownload: Default<Flag>
  downloadCount: Default<number>
  /** When `expiryAction` happens to it. */
  expiresAt: string | null
  expiryAction: 'private' | 'delete' | null
  /** When its owner was told. */
  expiryNoticedAt: string | null
  title: string
  /** The title without case and accents. */
  foldedTitle: Default<string>
  description: Default<string>
  videoUrl: string | null
  thumbnailUrl: string | null
  /** Seconds. */
  duration: Default<number>
  width: number | null
  height: number | null
  /** Everything in the video's folder. */
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
  /** Why an admin turned the video down, for its owner. */
  rejectionReason: string | null
  /** The master playlist of the adaptive stream. */
  hlsUrl: string | null
  /** A WebVTT file that says which part of which picture shows each time. */
  storyboardUrl: string | null
  /** A progressive MP4 small enough for chat programs to play inline. */
  shareUrl: string | null
  /** The thumbnail at card size in WebP; the JPEG beside it has the same name. */
  cardUrl: string | null
  /** Integrated, EBU R 128. */
  loudnessLufs: number | null
  /** ISO 639 code of the sound in the video itself; null where the recording does not declare it. */
  soundLanguage: string | null
  /** How often its owner sent it in again since it was last approved. */
  resubmissionCount: Default<number>
  /** Why it is not approved: an admin hid it, or its owner is banned. */
  withheld: 'hidden' | 'banned' | null
  /** Nobody may comment any more. */
  commentsOff: Default<Flag>
  /** Members other than its owner may make clips of it, and videos of those clips. */
  allowsClips: Default<Flag>
  allowsClipVideos: Default<Flag>
  /** The bytes of its `mediaFiles`: the rest of `storageBytes` is the upload itself; maintained by triggers. */
  listedBytes: Default<number>
  /** Parts of `storageBytes`, maintained by triggers: files that the makers of clips pay for, and those of the owner by kind. */
  clipBytes: Default<number>
  captionBytes: Default<number>
  pictureBytes: Default<number>
  shareBytes: Default<number>
}

/** The files of a video that are served, all that its folder holds but the upload itself. */
export interface MediaFilesTable {
  videoId: number
  /** In the video's folder and in its address; no other file of the video ever had it. */
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
  /** Null when it was listed before sizes were. */
  bytes: number | null
  /** SHA-256 in hexadecimal digits; null until a file from before hashes were kept has been read once. */
  sha256: string | null
  /** Since when a better one stands for it; those who are watching may still need it for a while. */
  retiredAt: string | null
  /** The maker of the clip whose file it is, to whom it is charged; null for the files of the video's owner. */
  makerId: number | null
}

/**
 * Size and hash of stored files that have no row in `mediaFiles`: uploads themselves, and the pictures of channels and the
 * site. What is stored under a key never changes, so a row says the truth as long as its file is there.
 */
export interface FileHashesTable {
  mediaKey: string
  name: string
  bytes: number
  sha256: string
}

/** The steps of the adaptive stream. */
export interface RenditionsTable {
  videoId: number
  /** What people call it, such as 1080: the short side of the picture. */
  name: number
  width: number
  height: number
  frameRate: number
  /** Bits per second of the busiest stretch, and of the whole. */
  bandwidth: number
  averageBandwidth: number
  codecs: string
  /** The picture is the upload's own, not encoded again. */
  copied: Flag
}

/** The second and further sound tracks of a video, as files of sound alone. */
export interface SoundTracksTable {
  videoId: number
  /** From 2: the first track is in the video. */
  number: number
  file: string
  /** ISO 639. */
  language: string | null
}

/** What the sound tracks of a video with several are called. */
export interface SoundNamesTable {
  videoId: number
  /** From 1. */
  number: number
  /** The name from the recorder, unless it identifies a person. */
  name: string | null
  /** The choice of the owner. */
  kind: 'game' | 'voice' | 'chat' | 'music' | null
}

/** Captions that the owner added or that were in the recording, each a WebVTT file. */
export interface CaptionsTable {
  id: Generated<number>
  videoId: number
  /** A BCP 47 tag, such as 'en' or 'pt-BR'. */
  language: string
  /** What people choose by; one of each in a video. */
  label: string
  file: string
  createdAt: string
}

/** The tags of every video in lower case; maintained by triggers. */
export interface VideoTagsTable {
  tag: string
  videoId: number
}

export type VideoRow = Selectable<VideosTable>
export type NewVideoRow = Insertable<VideosTable>

/** The members whom the owner of a private video named: they may see it. */
export interface VideoMembersTable {
  videoId: number
  userId: number
}

/** Links that open one video or one playlist to whoever has them. */
export interface ShareLinksTable {
  id: Generated<number>
  /** Either this or `playlistId`. */
  videoId: number | null
  playlistId: number | null
  /** SHA-256 of the token in the link, in hexadecimal. */
  tokenHash: string
  /** For whom it is, for its owner. */
  note: Default<string>
  /** Argon2id; null where none is asked. */
  passwordHash: string | null
  expiresAt: string | null
  maxViews: number | null
  views: Default<number>
  createdBy: number
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}
