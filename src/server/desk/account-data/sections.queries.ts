/**
 * The sections of `account.json`: one for each table with rows of members. A test compares them with the schema: a
 * new table with a column for a member needs a section here, or a reason in `LEFT_OUT`.
 */
import type { Database } from '#server/platform/db/database.ts'
import {
  readAudit,
  readCuts,
  readIdentities,
  readMails,
  readMontages,
  readNotifications,
  readPlaylists,
  readSessions,
  readSquads,
} from './section-readers.queries.ts'
import { type DataSection, section } from './table-section.queries.ts'

export const SECTIONS: readonly DataSection[] = [
  { name: 'sessions', tables: ['sessions'], read: readSessions },
  section('apiTokens', 'apiTokens', {
    owner: 'userId',
    keys: ['id'],
    columns: ['name', 'scope', 'createdAt', 'lastUsedAt', 'address', 'userAgent', 'expiresAt'],
  }),
  { name: 'linkedAccounts', tables: ['identities'], read: readIdentities },
  section('passkeys', 'passkeys', {
    owner: 'userId',
    keys: ['id'],
    columns: ['name', 'isBackedUp', 'createdAt', 'lastUsedAt'],
  }),
  section('authenticatorApp', 'timeCodes', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['createdAt'],
  }),
  section('recoveryCodes', 'recoveryCodes', {
    owner: 'userId',
    keys: ['codeHash'],
    columns: ['createdAt'],
  }),
  section('secondFactorNotices', 'secondFactorNotices', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['requiredFrom'],
  }),
  section('passwordResets', 'passwordResets', {
    owner: 'userId',
    keys: ['tokenHash'],
    columns: ['createdAt', 'expiresAt', 'mailedTo'],
  }),
  section('emailVerifications', 'emailVerifications', {
    owner: 'userId',
    keys: ['tokenHash'],
    columns: ['address', 'expiresAt'],
  }),
  { name: 'unsentEmail', tables: ['mails'], read: readMails },
  section('emailSummary', 'digests', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['every', 'nextAt'],
  }),
  section('uploads', 'uploads', {
    owner: 'userId',
    keys: ['id'],
    columns: ['fileName', 'fileSize', 'state', 'title', 'videoId', 'createdAt'],
  }),
  section('filesFromAddresses', 'fetches', {
    owner: 'userId',
    keys: ['id'],
    columns: ['url', 'fileName', 'size', 'state', 'details', 'videoId', 'createdAt'],
  }),
  section('importedVideos', 'importedVideos', {
    owner: 'userId',
    keys: ['id'],
    columns: ['source', 'sourceId', 'videoId', 'publishedAt', 'viewCount', 'createdAt'],
  }),
  section('imports', 'imports', {
    owner: 'ownerId',
    keys: ['id'],
    columns: ['source', 'given', 'state', 'startedAt', 'finishedAt', 'report'],
  }),
  section('inbox', 'inboxItems', {
    owner: 'userId',
    keys: ['id'],
    columns: ['path', 'fileSize', 'state', 'details', 'recordedAt', 'videoId', 'foundAt'],
  }),
  section('moments', 'moments', {
    owner: 'userId',
    keys: ['id'],
    columns: ['videoId', 'source', 'atSeconds', 'title', 'createdAt'],
  }),
  { name: 'cuts', tables: ['cuts'], read: readCuts },
  { name: 'montages', tables: ['montages'], read: readMontages },
  { name: 'playlists', tables: ['playlists', 'playlistItems'], read: readPlaylists },
  section('comments', 'comments', {
    owner: 'userId',
    keys: ['id'],
    columns: [
      ...(['id', 'videoId', 'clipId', 'postId', 'parentId', 'content', 'createdAt'] as const),
      ...(['editedAt', 'likeCount', 'dislikeCount', 'withheld'] as const),
    ],
  }),
  section('posts', 'posts', {
    owner: 'channelId',
    keys: ['id'],
    columns: [
      ...(['id', 'content', 'videoId', 'clipId', 'squadId', 'likeCount', 'dislikeCount'] as const),
      ...(['createdAt', 'editedAt', 'withheld'] as const),
    ],
  }),
  section('likes', 'likes', {
    owner: 'userId',
    keys: ['id'],
    columns: ['videoId', 'clipId', 'commentId', 'postId', 'isLike', 'createdAt'],
  }),
  section('reactions', 'videoReactions', {
    owner: 'userId',
    keys: ['videoId', 'second', 'kind'],
    columns: ['videoId', 'second', 'kind'],
  }),
  section('subscriptions', 'subscriptions', {
    owner: 'subscriberId',
    keys: ['id'],
    columns: ['channelId', 'subscribedAt'],
  }),
  section('featuredChannels', 'featuredChannels', {
    owner: 'userId',
    keys: ['channelId'],
    columns: ['channelId', 'position'],
  }),
  { name: 'squads', tables: ['squadMembers'], read: readSquads },
  section('squadRequests', 'squadRequests', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'createdAt'],
  }),
  section('squadInvites', 'squadInvites', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'createdAt'],
  }),
  section('squadRemovals', 'squadRemovals', {
    owner: 'userId',
    keys: ['squadId'],
    columns: ['squadId', 'removedAt'],
  }),
  section('watchRooms', 'watchRoomMembers', {
    owner: 'userId',
    keys: ['roomId'],
    columns: ['roomId', 'role', 'joinedAt', 'seenAt'],
  }),
  section('watchRoomVideos', 'watchRoomItems', {
    owner: 'addedBy',
    keys: ['id'],
    columns: ['roomId', 'videoId', 'clipId'],
  }),
  section('watchRoomMessages', 'watchRoomMessages', {
    owner: 'userId',
    keys: ['id'],
    columns: ['roomId', 'content', 'createdAt'],
  }),
  section('playedAlong', 'participants', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId', 'state'],
  }),
  section('sharedVideos', 'videoMembers', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId'],
  }),
  section('sharedPlaylists', 'playlistMembers', {
    owner: 'userId',
    keys: ['playlistId'],
    columns: ['playlistId'],
  }),
  section('shareLinks', 'shareLinks', {
    owner: 'createdBy',
    keys: ['id'],
    columns: [
      ...(['videoId', 'playlistId', 'note', 'expiresAt', 'maxViews', 'views'] as const),
      ...(['createdAt', 'lastUsedAt', 'revokedAt'] as const),
    ],
  }),
  section('history', 'history', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId', 'positionSeconds', 'watchedAt'],
  }),
  section('hiddenVideos', 'hiddenVideos', {
    owner: 'userId',
    keys: ['videoId'],
    columns: ['videoId'],
  }),
  section('visits', 'visits', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['startedAt', 'seenAt', 'previousAt'],
  }),
  { name: 'notifications', tables: ['notifications'], read: readNotifications },
  section('mutedNotifications', 'mutedNotifications', {
    owner: 'userId',
    keys: ['kind'],
    columns: ['kind', 'mutes'],
  }),
  section('pushSubscriptions', 'pushSubscriptions', {
    owner: 'userId',
    keys: ['id'],
    columns: ['userAgent', 'createdAt', 'sentAt'],
  }),
  section('quietHours', 'quietHours', {
    owner: 'userId',
    keys: ['userId'],
    columns: ['fromMinute', 'toMinute', 'timeZone'],
  }),
  section('reports', 'reports', {
    owner: 'reporterId',
    keys: ['id'],
    columns: [
      ...(['kind', 'videoId', 'commentId', 'channelId', 'postId', 'reason', 'state'] as const),
      ...(['createdAt', 'closedAt'] as const),
    ],
  }),
  section('invites', 'invites', {
    owner: 'createdBy',
    keys: ['id'],
    columns: ['note', 'usesMax', 'uses', 'expiresAt', 'createdAt', 'revokedAt'],
  }),
  { name: 'auditLog', tables: ['auditLog'], read: readAudit },
]

/** Tables with a column for a member that are not in the archive, with the reason. */
export const LEFT_OUT: Record<string, string> = {
  announcedActs: 'remembers that a like, subscription or video, which are there, was announced',
  dataExports: 'is the archive itself',
  jobs: 'is work on a video that is there',
  mediaFiles: 'lists the files of videos and clips, which are there',
  signInSteps: 'lasts ten minutes',
  webhooks: 'belong to the site; the audit log has who added one',
  workers: 'belongs to the site; the audit log has who added one',
}

export async function findProfile(db: Database, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'displayName', 'bio', 'isAdmin', 'createdAt'])
    .select(['subscriberCount', 'storageBytes', 'quotaBytes', 'avatarUrl', 'bannerUrl'])
    .select(['showEmail', 'showsPresence', 'historyPaused', 'defaultVisibility'])
    .select(['emailVerifiedAt', 'emailRefusedAt', 'passkeyAfterPassword', 'isTrustedUploader'])
    .where('id', '=', userId)
    .where('deletion', 'is', null)
    .executeTakeFirst()
}
