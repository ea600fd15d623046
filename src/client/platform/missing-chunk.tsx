import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { connection } from './connection.ts'
import { reloadIfHarmless } from './harmless-reload.ts'
import { notify } from './notify.tsx'

/** A script or style of the app that could not be fetched: the connection is lost, or the site has been updated. */
export class MissingChunk extends Error {}

/**
 * Fetches a part of the app, as soon as there is a connection. Browsers do not ask again for a module that they failed to
 * fetch: only the page loaded again has it.
 */
export async function fetchChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  await connection.untilBack()
  return load().catch((cause) => {
    void connection.doubt()
    throw new MissingChunk('A part of the app could not be fetched.', { cause })
  })
}

/**
 * Loads the page again for a part that is missing, once there is a connection; where something would be lost by that, a toast
 * leaves it to the user.
 * @param options.isQuiet nobody asked for the part, so there is no toast
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

/** As `fetchChunk`, for what somebody asked for and would wait for in vain. */
export async function fetchAskedChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await fetchChunk(load)
  } catch (error) {
    void recoverMissingChunk()
    throw error
  }
}

/** A page that is fetched when it is first gone to; what cannot be fetched is a `MissingChunk`. */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => fetchChunk(load), name)
}
