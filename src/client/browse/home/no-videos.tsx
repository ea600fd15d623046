import { LinkButton } from '#client/kit/control/link-button.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { EmptyState } from '#client/kit/list/empty-state.tsx'

/** Shown for a game without videos. */
export default function NoVideos({ category }: { category: string }) {
  return (
    <EmptyState
      role="status"
      drawing={<FilmDrawing />}
      title={`No videos found in category ${category}`}
      action={<LinkButton to="/upload">Upload a video</LinkButton>}
    >
      Be the first to share a match here.
    </EmptyState>
  )
}
