/** Enforced by the server and shown by the client. */

export const UPLOAD_CHUNK_BYTES = 2 * 1024 * 1024
export const MAX_OPEN_UPLOADS = 3
/** Files that the site fetches for a member, one after the other. */
export const FETCHES_MAX = 20
export const UPLOAD_IDLE_HOURS = 24
/** How often it is noted that bytes of an upload arrive, and after what silence it counts as paused. */
export const UPLOAD_BEAT_SECONDS = 1.5
export const UPLOAD_SILENCE_SECONDS = 4
export const MAX_QUEUED_FILES = 100
/** Files per comparison call. */
export const MAX_COMPARED_FILES = 10

export const INBOX_RULES_MAX = 100
export const INBOX_FOLDER_MAX = 200

export const MAX_JSON_BYTES = 64 * 1024
export const MAX_BATCH_CALLS = 20

export const PAGE_SIZE = 48
export const COMMENTS_PER_PAGE = 20
export const NEW_COMMENTS_MAX = 50
export const MAX_PAGE_SIZE = 100
/** Videos per call. */
export const MAX_BULK_VIDEOS = 100
export const MAX_RECOMMENDED = 10

export const TITLE_MIN = 3
export const TITLE_MAX = 100
export const DESCRIPTION_MAX = 5000
export const COMMENT_MAX = 5000
export const POST_MAX = 1000
export const POST_TOO_LONG = `A post has at most ${POST_MAX} characters.`
export const FEATURED_CHANNELS_MAX = 50
export const PARTICIPANTS_MAX = 10
export const NAMED_MEMBERS_MAX = 50
export const SQUAD_NAME_MIN = 2
export const SQUAD_NAME_MAX = 40
export const SQUAD_DESCRIPTION_MAX = 500
export const SQUAD_MEMBERS_MAX = 200
export const SQUADS_OWNED_MAX = 5
export const SQUADS_JOINED_MAX = 30
/** Maximum number of open requests, both per squad and per member. */
export const SQUAD_REQUESTS_MAX = 100
/** Notifications about the requests, or the invitations, of one member to one squad. */
export const SQUAD_NOTICES_PER_DAY = 3
export const SQUAD_INVITES_MAX = 100
/** Maximum number of members that one mention of a squad notifies. */
export const SQUAD_MENTIONED_MAX = 100
/** Replies per page. */
export const REPLIES_SHOWN = 50
/** Seconds. */
export const CLIP_SECONDS_MIN = 2
export const CLIP_SECONDS_MAX = 180
export const CLIP_DEFAULT_SECONDS = 15
/** Per member in 24 hours. */
export const CLIPS_PER_DAY = 100
export const CLIPS_SHOWN = 24
export const NEW_CLIPS_SHOWN = 12
/** Shorter clips get a file at once. */
export const CLIP_FILE_SECONDS_MAX = 60
/** The most that free accounts attach in chat programs. */
export const CLIP_FILE_BYTES_MAX = 10 * 1000 * 1000
/** Closer marks by one member count once. */
export const MARK_EVERY_SECONDS = 5
export const MOMENT_ROWS_MAX = 200
export const MAX_TIMELINE_BYTES = 1024 * 1024
export const TIMELINE_ENTRIES_MAX = 5000
export const TIMELINE_MARKERS_MAX = 1000
/** Shorter videos get no proposals. */
export const PROPOSAL_SECONDS_MIN = 180
export const TAGS_MAX = 10
export const TAG_MIN = 2
export const TAG_MAX = 30
export const MAX_CAPTIONS_BYTES = 1024 * 1024
export const CAPTIONS_PER_VIDEO = 20
export const CUT_PARTS_MAX = 200
export const CUT_SECONDS_MIN = 1
export const CUT_KEPT_DAYS = 7
export const HELD_ITEMS_SHOWN = 50
export const CAPTIONS_LABEL_MAX = 60
export const FILE_NAME_MAX = 255
export const SEARCH_QUERY_MAX = 200
export const MAX_SUGGESTIONS = 8

export const USERNAME_MIN = 3
export const USERNAME_MAX = 30
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 256
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 50
export const DISPLAY_NAME_MIN = 2
export const DISPLAY_NAME_MAX = 50
export const EMAIL_MAX = 254
export const BIO_MAX = 1000

export const PLAYLIST_TITLE_MAX = 100
export const PLAYLIST_DESCRIPTION_MAX = 1000
export const PLAYLIST_ITEMS_MAX = 500
export const PLAYLISTS_MAX = 200

export const SHARE_LINKS_MAX = 100
export const SHARE_LINK_NOTE_MAX = 100
export const SHARE_LINK_VIEWS_MAX = 1_000_000

/** Lifetime of a link that verifies an email address. */
export const VERIFICATION_HOURS = 24
/** Lifetime of a password link that was sent by email. */
export const MAILED_RESET_HOURS = 1
/** Days until an account is deleted, unless the member deletes it at once. */
export const DELETION_DAYS = 14
/** Lifetime of a session with 'Remember me'. */
export const SESSION_DAYS = 30
export const UNREMEMBERED_SESSION_HOURS = 24
/** Per member. Beyond this, the session used longest ago ends when another begins. */
export const SESSIONS_MAX = 20
/** Renewals included. */
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

/** The home page shows larger cards if the site has fewer videos than this. */
export const QUIET_VIDEOS = 20

/** Characters. */
export const CATEGORY_MAX = 30

export type BuiltInCategory = (typeof CATEGORIES)[number]
/** Admins may add others. */
export type Category = BuiltInCategory | (string & {})
export const DEFAULT_CATEGORY: Category = 'Other'

/**
 * Chats are not offered a larger file: their proxies refuse it. Discord often plays no file of more than 10 to 20 MB, so the
 * files that are made for chats are smaller.
 */
export const PLAYED_BY_CHATS_BYTES_MAX = 50 * 1000 * 1000
/** Default maximum size of the file for chats. `CHAT_FILE_MB` overrides it. */
export const SHARE_FILE_BYTES_MAX = 10 * 1000 * 1000
/** Pixels of the shorter side. */
export const SHARE_FILE_SHORT_SIDE_MAX = 720

export const MONTAGE_ITEMS_MAX = 50
/** With the title card. */
export const MONTAGE_SECONDS_MAX = 600
/** Leaves room for two cross-fades. */
export const MONTAGE_ITEM_SECONDS_MIN = 2
export const MONTAGE_FADE_SECONDS = 0.3
export const MONTAGE_CARD_SECONDS = 2.5
