import { Button } from '../components/button.tsx'
import { UnpluggedDrawing } from '../components/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageTitle } from '../components/page-title.tsx'

/** A page that broke, or that an update of the site has replaced since this tab was opened. */
export function CrashPage() {
  return (
    <>
      <PageTitle title="Something went wrong" />
      <EmptyState
        role="alert"
        drawing={<UnpluggedDrawing />}
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Refresh page</Button>}
      >
        It may have been updated while you were here. Nothing you saved is lost.
      </EmptyState>
    </>
  )
}
