import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { notify } from './notify.tsx'

/** A script or style of the app that could not be fetched: the connection is lost, or the site has been updated. */
export class MissingChunk extends Error {}

/** Says so, whatever part it is, with a way to load the page again; toasts do without theirs. */
export function reportMissingChunks(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    if (payload.message.includes('toast-region')) return
    notify({
      tone: 'error',
      title: 'A part of this page could not be loaded',
      message: 'Check your connection, or load the page again.',
      action: <Button onClick={() => location.reload()}>Reload</Button>,
    })
  })
}

/** A page that is fetched when it is first gone to; what cannot be fetched is a `MissingChunk`. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  const fetchPage = () =>
    load().catch((cause) => {
      throw new MissingChunk('The page could not be fetched.', { cause })
    })
  return lazyRouteComponent(fetchPage, name)
}
