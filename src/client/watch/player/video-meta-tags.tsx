import { useSite } from '#client/platform/use-site.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { cutDescription } from '#shared/text/share-text.ts'

/** Tags that other sites and apps read. */
export default function VideoMetaTags({ video }: { video: Video }) {
  const site = useSite()
  const { title, thumbnailUrl, duration } = video
  const videoUrl = video.discordEmbed ? video.videoUrl : null
  const siteName = site?.name ?? 'Clutch'
  const pageUrl = absolute(`/video/${video.id}`)
  const description = cutDescription(video.description)
  return (
    <>
      <link rel="canonical" href={pageUrl} />
      <meta name="description" content={description} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:type" content="video.other" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={pageUrl} />
      {thumbnailUrl && <meta property="og:image" content={absolute(thumbnailUrl)} />}
      {videoUrl && <meta property="og:video" content={absolute(videoUrl)} />}
      <meta property="video:duration" content={String(duration)} />
      <meta name="twitter:card" content={videoUrl ? 'player' : 'summary_large_image'} />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      {thumbnailUrl && <meta name="twitter:image" content={absolute(thumbnailUrl)} />}
    </>
  )
}

function absolute(path: string): string {
  return new URL(path, location.origin).href
}
