import type { SiteSettings } from '#shared/site.schemas.ts'
import type { Video } from '#shared/video.schemas.ts'

/** Stands for what only the server knows; the words between percent signs become its slots. */
export const SAMPLE_ID = 900_000_001
export const SAMPLE_CHANNEL_ID = 900_000_002

/** Every shape that a visitor's card can have. */
export function sampleVideos(): Video[] {
  const videos: Video[] = []
  for (const pictures of [0, 1, 2]) {
    for (const face of ['picture', 'letter', 'nobody']) {
      for (const duration of [0, 3661]) {
        videos.push({
          ...SAMPLE,
          id: SAMPLE_ID + videos.length * 10,
          duration,
          cardUrl: pictures > 0 ? '%src%' : null,
          thumbnailUrl: pictures > 1 ? '%full%' : null,
          channel:
            face === 'nobody'
              ? null
              : { ...CHANNEL, avatarUrl: face === 'picture' ? '%avatar%' : null },
        })
      }
    }
  }
  return videos
}

export function sampleSite(site: { hasLogo: boolean; hasRules: boolean }): SiteSettings {
  return {
    name: '%site%',
    tagline: '',
    accent: null,
    logoUrl: site.hasLogo ? '%logo%' : null,
    hasRules: site.hasRules,
    registration: 'open',
    uploadsNeedApproval: false,
    categories: ['%category%'],
    anonymousByDefault: false,
    discordEmbedByDefault: true,
    maxVideoBytes: 0,
    maxThumbnailBytes: 0,
  }
}

const CHANNEL = {
  id: SAMPLE_CHANNEL_ID,
  displayName: '%channel%',
} as NonNullable<Video['channel']>

const SAMPLE = {
  title: '%title%',
  description: '',
  videoUrl: null,
  hlsUrl: null,
  storyboardUrl: null,
  width: null,
  height: null,
  viewCount: 1_200_000,
  likeCount: 0,
  dislikeCount: 0,
  publishedAt: '2001-02-03T04:05:06.000Z',
  discordEmbed: false,
  category: '%game%',
  tags: [],
  contentScanned: true,
  contentApproved: true,
  isAnonymous: false,
  commentsOff: false,
  videoFileExists: true,
  processingState: 'ready',
  processingError: null,
  rejectionReason: null,
  myRating: null,
  userId: null,
} satisfies Partial<Video>
