import type { Video } from '#shared/video.schemas.ts'

const DESCRIPTION_MAX = 200

/** What other sites and apps read of a watch page; React puts it into the document's head. */
export function VideoMetaTags({ video }: { video: Video }) {
  const { title, videoUrl, thumbnailUrl, duration } = video
  const pageUrl = absolute(`/video/${video.id}`)
  const description = cutDescription(video.description)
  return (
    <>
      <link rel="canonical" href={pageUrl} />
      <meta name="description" content={description} />
      <meta property="og:site_name" content="Clutch" />
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

/** At most 200 characters: 197 and an ellipsis. */
function cutDescription(description: string): string {
  const text = description.replace(/\s+/g, ' ').trim()
  if (text.length <= DESCRIPTION_MAX) return text
  return `${text.slice(0, DESCRIPTION_MAX - 3).toWellFormed()}...`
}
