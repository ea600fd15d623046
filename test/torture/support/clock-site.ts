import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteClient } from './site-client.ts'
import { type SiteProcess, startSiteProcess } from './site-process.ts'

const PRELOAD = join(import.meta.dirname, 'shifted-clock.ts')
/** Longer than the server takes to look at its clock file. */
const FOLLOW_MS = 200
const WRONG_LOGINS = 10

/** A data folder, and the file that says by how much the clock of its server is off. */
export type ClockSite = { file: string; dataFolder: string }

/** @param offset milliseconds from the real time */
export async function setOffset({ file }: ClockSite, offset: number): Promise<void> {
  await writeFile(file, String(offset))
  await pause(FOLLOW_MS)
}

/** With the limits as they are for everybody. */
export async function startShifted({ dataFolder, file }: ClockSite): Promise<SiteProcess> {
  const server = await startSiteProcess({
    dataFolder,
    flags: ['--import', PRELOAD],
    env: { CLOCK_FILE: file, RATE_LIMIT_SCALE: '1' },
  })
  if (!server.answered) throw new Error(`It did not start: ${server.output.join('')}`)
  return server
}

/** Tries wrong passwords until no more are heard. @returns what the right one is answered then */
export async function lockOut(stranger: SiteClient, username: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < WRONG_LOGINS; attempt++) {
    await stranger.send('POST', '/api/login', { username, password: 'not this one' })
  }
  return (await stranger.logIn(username))?.status
}
