import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node')

/** What a Node process that a test starts is given: nothing of ours, and the folder of compiled code of `npm start`. */
export const childEnvironment = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: CACHE }

/** Where it is started: a folder without an `.env`, such as a developer has in the project's. */
export const childFolder = tmpdir()
