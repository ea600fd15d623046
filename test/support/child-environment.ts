import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node')

/** What a Node process that a test starts is given: nothing of ours, and the folder of compiled code of `npm start`. */
export const childEnvironment = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: CACHE }
