import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUpFolder } from '#test/support/set-up-folder.ts'
import { until } from '../support/until.ts'
import { runPart } from '../torture/run-part.ts'

const folder = setUpFolder('part')

/** @param body of `run`, which has `input`, `spawn` and `writeFile` */
async function run(body: string, deadlineMinutes?: number) {
  const file = join(folder, 'part.mjs')
  await writeFile(
    file,
    `import { spawn } from 'node:child_process'
    import { writeFile } from 'node:fs/promises'
    export const part = { name: 'x', description: 'x', run: async (input) => { ${body} } }`,
  )
  return runPart(file, { input: { seed: 7, rounds: undefined, folder }, deadlineMinutes })
}

test('a part reports what it found', async () => {
  const result = await run(
    'return { figures: [{ what: "seed", value: input.seed }], failures: [] }',
  )
  expect(result).toEqual({ figures: [{ what: 'seed', value: 7 }], failures: [] })
})

test('a part that breaks off, or whose process dies, has failed', async () => {
  expect((await run('throw new Error("Oh")')).failures[0]).toMatch(
    /^The part itself broke off: .*Oh/,
  )
  expect((await run('process.exit(0)')).failures).toEqual(['Its process died.'])
})

test('a part that does not end has failed, and nothing that it started goes on', async () => {
  const { failures } = await run(
    `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await writeFile(input.folder + '/pid', String(child.pid))
    for (;;);`,
    0.05,
  )
  expect(failures).toEqual(['It did not end within 0.05 minutes.'])
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
  await until(async () => !(await isRunning(pid)))
})

/** One whose parent died waits as a zombie until a user looks. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  return status !== undefined && !/^State:\tZ/m.test(status)
}
