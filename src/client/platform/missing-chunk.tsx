import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { connection } from './connection.ts'
import { reloadIfHarmless } from './harmless-reload.ts'
import { notify } from './notify.tsx'

/** A script or style of the app that could not be fetched: the connection is lost, or the site has been updated. */
export class MissingChunk extends Error {}

/**
 * Fetches a part of the app as soon as there is a connection. Browsers do not request a module again that they failed to
 * fetch: only a reload helps.
 */
export async function fetchChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  await connection.untilBack()
  return load().catch((cause) => {
    void connection.doubt()
    throw new MissingChunk('A part of the app could not be fetched.', { cause })
  })
}

/**
 * Reloads the page for a missing part as soon as there is a connection; when a reload would lose something, a toast offers it.
 * @param options.isQuiet shows no toast, for a part that the user did not ask for
 */
export async function recoverMissingChunk({ isQuiet = false } = {}): Promise<void> {
  await connection.doubt()
  const wasLost = connection.isLost()
  await connection.untilBack()
  if ((wasLost && reloadIfHarmless()) || isQuiet) return
  notify({
    tone: 'error',
    title: 'A part of this page could not be loaded',
    message: 'Check your connection, or load the page again.',
    action: <Button onClick={() => location.reload()}>Reload</Button>,
  })
}

/** As `fetchChunk`, for a part that the user asked for: a failure reloads the page or is reported. */
export async function fetchAskedChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await fetchChunk(load)
  } catch (error) {
    void recoverMissingChunk()
    throw error
  }
}

/** A page that is fetched when it is first opened. @throws `MissingChunk` when it cannot be fetched */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => fetchChunk(load), name)
}
