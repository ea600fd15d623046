import { Button } from '@mantine/core'
import { lazyRouteComponent } from '@tanstack/react-router'
import { connection } from './connection.ts'
import { reloadIfHarmless } from './harmless-reload.ts'
import { notify } from './notify.tsx'

/** A part of the app failed to load: connection lost, or site updated. */
export class MissingChunk extends Error {}

/** Waits for the connection. Browsers never retry a failed module: only a reload helps. */
export async function fetchChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  await connection.untilBack()
  return load().catch((cause) => {
    void connection.doubt()
    throw new MissingChunk('Part of the app could not be loaded.', { cause })
  })
}

/**
 * Reloads once connected, or offers it by a toast where something would be lost.
 * @param options.isQuiet no toast, for parts that the user did not request
 */
export async function recoverMissingChunk({ isQuiet = false } = {}): Promise<void> {
  await connection.doubt()
  const wasLost = connection.isLost()
  await connection.untilBack()
  if ((wasLost && reloadIfHarmless()) || isQuiet) return
  notify({
    tone: 'error',
    title: 'Part of this page could not be loaded',
    message: 'Check your connection, or load the page again.',
    action: <Button onClick={() => location.reload()}>Reload</Button>,
  })
}

/** For parts that the user requested: a failure reloads or is reported. */
export async function fetchAskedChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await fetchChunk(load)
  } catch (error) {
    void recoverMissingChunk()
    throw error
  }
}

/** @throws `MissingChunk` */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(() => fetchChunk(load), name)
}
