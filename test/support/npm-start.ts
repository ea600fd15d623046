import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '..', '..', 'package.json')

/** What `npm start` gives to Node: its flags, and the environment without the folder of compiled code. */
export const npmStart = readStart()

function readStart(): { flags: string[]; environment: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync(FILE, 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' && ').at(-1)?.split(' ') ?? []
  const nodeAt = words.lastIndexOf('node')
  const assigned = words.slice(0, nodeAt).filter((word) => word.includes('='))
  const { NODE_COMPILE_CACHE: _, ...environment } = Object.fromEntries(
    assigned.map((word) => word.split('=')),
  ) as Record<string, string>
  return { flags: words.slice(nodeAt + 1).filter((word) => word.startsWith('-')), environment }
}
