import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
/** Of the server's files only these build pages. */
const BUILDS = ['src/server/command/build-client.ts', 'src/server/command/dev.ts']
const read = (name: string) => readFile(join(ROOT, name), 'utf8')

test('the image has the Node that the npm scripts use', async () => {
  const [, version] = /^FROM node:([\d.]+)-/m.exec(await read('Dockerfile')) ?? []
  expect(`v${version}`).toBe(process.version)
})

test('the image leaves out dependencies that the server does not import', async () => {
  const dockerfile = await read('Dockerfile')
  const named = dockerfile.matchAll(/\bdependencies(?:\.([\w@./-]+)|\[([\w@./-]+)\])/g)
  const leftOut = [...named].map(([, plain, bracketed]) => plain ?? bracketed ?? '')
  const { dependencies } = JSON.parse(await read('package.json')) as Record<string, object>
  expect(leftOut.length).toBeGreaterThan(5)
  expect(leftOut.filter((name) => !Object.keys(dependencies ?? {}).includes(name))).toEqual([])

  const imported: string[] = []
  for await (const path of glob('src/{server,shared}/**/*.ts', { cwd: ROOT })) {
    if (BUILDS.includes(path.replaceAll('\\', '/'))) continue
    const text = await read(path)
    for (const name of leftOut) {
      if (text.includes(`'${name}'`) || text.includes(`'${name}/`))
        imported.push(`${path}: ${name}`)
    }
  }
  expect(imported).toEqual([])
})
