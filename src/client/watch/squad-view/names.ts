import type { Video } from '#shared/schemas/video.schemas.ts'

export const nameOf = ({ video }: { video: Pick<Video, 'channel'> }): string =>
  video.channel?.displayName ?? 'Anonymous'
