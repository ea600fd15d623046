/** Limits and constants that the server enforces and the client shows. Bytes are bytes, times are in the unit named. */

export const UPLOAD_CHUNK_BYTES = 2 * 1024 * 1024
export const MAX_OPEN_UPLOADS = 3
export const UPLOAD_IDLE_HOURS = 24
/** Files that wait in the upload page's queue at a time. */
export const MAX_QUEUED_FILES = 100
/** Files that one call compares with those the site has. */
export const MAX_COMPARED_FILES = 10

export const MAX_JSON_BYTES = 64 * 1024
export const MAX_BATCH_CALLS = 20

export const PAGE_SIZE = 48
/** Top comments that come at a time. */
export const COMMENTS_PER_PAGE = 20
export const MAX_PAGE_SIZE = 100
/** Videos that one call changes or deletes. */
export const MAX_BULK_VIDEOS = 100
export const MAX_RECOMMENDED = 10

export const TITLE_MIN = 3
export const TITLE_MAX = 100
export const DESCRIPTION_MAX = 5000
export const COMMENT_MAX = 5000
export const POST_MAX = 1000
export const POST_TOO_LONG = `A post has at most ${POST_MAX} characters.`
/** Channels that one features. */
export const FEATURED_CHANNELS_MAX = 50
/** Members who played along in a video. */
export const PARTICIPANTS_MAX = 10
/** Members who may see a private video or playlist of somebody else's. */
export const NAMED_MEMBERS_MAX = 50
/** So many replies come with their comment at most, and with each page of further ones. */
export const REPLIES_SHOWN = 50
/** Seconds of a video that a clip may have, and has before anybody chose. */
export const CLIP_SECONDS_MIN = 2
export const CLIP_SECONDS_MAX = 180
export const CLIP_DEFAULT_SECONDS = 15
/** Clips that a member makes in 24 hours. */
export const CLIPS_PER_DAY = 100
/** Clips that a row on a page has at most. */
export const CLIPS_SHOWN = 24
export const NEW_CLIPS_SHOWN = 12
/** Clips up to here get a file to share at once. */
export const CLIP_FILE_SECONDS_MAX = 60
/** What it may weigh: as much as people may attach in chat programs without paying. */
export const CLIP_FILE_BYTES_MAX = 10 * 1000 * 1000
/** Marks by one member nearer to each other than this are one. */
export const MARK_EVERY_SECONDS = 5
/** Marks of a video by one member. */
export const MOMENT_ROWS_MAX = 200
export const MAX_TIMELINE_BYTES = 1024 * 1024
/** Entries that a recorder's timeline may have. */
export const TIMELINE_ENTRIES_MAX = 5000
/** Markers of a timeline that a video keeps. */
export const TIMELINE_MARKERS_MAX = 1000
/** Recordings from here on have moments proposed to their owner. */
export const PROPOSAL_SECONDS_MIN = 180
export const TAGS_MAX = 10
export const TAG_MIN = 2
export const TAG_MAX = 30
export const MAX_CAPTIONS_BYTES = 1024 * 1024
export const CAPTIONS_PER_VIDEO = 20
/** Parts that a cut keeps. */
export const CUT_PARTS_MAX = 200
/** What a cut keeps together, at least. */
export const CUT_SECONDS_MIN = 1
/** How long the recording from before a cut can be brought back. */
export const CUT_KEPT_DAYS = 7
/** How many of a member's files are shown of each part of their storage. */
export const HELD_ITEMS_SHOWN = 50
export const CAPTIONS_LABEL_MAX = 60
export const FILE_NAME_MAX = 255
export const SEARCH_QUERY_MAX = 200
export const MAX_SUGGESTIONS = 8

export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 256
export const DISPLAY_NAME_MIN = 2
export const DISPLAY_NAME_MAX = 50
export const EMAIL_MAX = 254
export const BIO_MAX = 1000

export const PLAYLIST_TITLE_MAX = 100
export const PLAYLIST_DESCRIPTION_MAX = 1000
export const PLAYLIST_ITEMS_MAX = 500
export const PLAYLISTS_MAX = 200

/** Links to one video or playlist that work at a time. */
export const SHARE_LINKS_MAX = 100
export const SHARE_LINK_NOTE_MAX = 100
export const SHARE_LINK_VIEWS_MAX = 1_000_000

export const SESSION_DAYS = 30
/** However often a session is renewed. */
export const SESSION_DAYS_MAX = 180

export const CATEGORIES = [
  'Rust',
  'CS2',
  'Rainbow Six',
  'GTA',
  'Tarkov',
  'FiveM',
  'Minecraft',
  'Other',
] as const

/** The longest name of a category that an admin adds. */
export const CATEGORY_MAX = 30

export type BuiltInCategory = (typeof CATEGORIES)[number]
/** One of the eight, or one that an admin added. */
export type Category = BuiltInCategory | (string & {})
export const DEFAULT_CATEGORY: Category = 'Other'

/**
 * What a video that chat programs play inside a message may weigh. They fetch it through a proxy of
 * their own first; Discord's gives up on large files, and 50 MB is the most that is widely reported to
 * play. (Its limit of 8 or 10 MB is one for files that people attach, not for links.)
 */
export const SHARE_FILE_BYTES_MAX = 50 * 1000 * 1000
/** The picture of such a file, pixels of its shorter side. */
export const SHARE_FILE_SHORT_SIDE_MAX = 720

export const MONTAGE_ITEMS_MAX = 50
/** Of the whole, with its title card. */
export const MONTAGE_SECONDS_MAX = 600
/** Of one item: two cross-fades have to fit into it. */
export const MONTAGE_ITEM_SECONDS_MIN = 2
export const MONTAGE_FADE_SECONDS = 0.3
export const MONTAGE_CARD_SECONDS = 2.5
