import { join } from 'node:path'
import type { TorturePart } from '../part.ts'
import { type ClockSite, lockOut, setOffset, startShifted } from '../support/clock-site.ts'
import type { Material } from '../support/kill-scenes.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { createLedger, type Ledger } from '../support/ledger.ts'
import { createSiteClient, type SiteClient } from '../support/site-client.ts'
import { doctorSite } from '../support/stopped-site.ts'
import { waitUntilFinished } from '../support/unfinished.ts'

const ROUNDS = 3
const DAY_MS = 86_400_000
/** From one time to the next, each a jump of a day or two. */
const OFFSETS = [DAY_MS, 0, -DAY_MS, 0]

type Clock = ClockSite & { material: Material; ledger: Ledger }

export const part: TorturePart = {
  name: 'clock',
  description:
    'the clock jumps a day ahead and back, under a running server and while it is stopped',
  async run({ folder, rounds = ROUNDS, log }) {
    const material = await makeMaterial(join(folder, 'material'))
    const failures: string[] = []
    const ledger = createLedger()
    const clock = {
      file: join(folder, 'offset'),
      dataFolder: join(folder, 'data'),
      material,
      ledger,
    }
    let jumps = 0
    for (let round = 1; round <= rounds; round++) {
      for (const whileStopped of [false, true]) {
        const found = await visit(clock, {
          name: `visitor-${round}-${whileStopped ? 2 : 1}`,
          whileStopped,
        })
        failures.push(
          ...found.map((text) => `round ${round}${whileStopped ? ', stopped' : ''}: ${text}`),
        )
        jumps += OFFSETS.length
      }
      log(`round ${round}: ${jumps} jumps, ${failures.length} failures`)
    }
    return {
      figures: [
        { what: 'jumps of a day', value: jumps },
        { what: 'acknowledged writes checked after each', value: ledger.size() },
      ],
      failures,
    }
  },
}

/** One member, who is busy at every jump. */
async function visit(
  clock: Clock,
  { name, whileStopped }: { name: string; whileStopped: boolean },
): Promise<string[]> {
  const { dataFolder, material, ledger } = clock
  const failures: string[] = []
  await setOffset(clock, 0)
  let server = await startShifted(clock)
  let client = createSiteClient(server.origin)
  const id = (await client.register(name)) ?? 0
  ledger.member(id)
  for (const [index, offset] of OFFSETS.entries()) {
    const where = `jump ${index + 1}`
    const opened = await client.initialize({
      title: `${name}, ${where}`,
      size: material.clip.length,
    })
    const { uploadId } = opened?.json<{ uploadId: string }>() ?? { uploadId: '' }
    await client.chunk(uploadId, 0, material.clip)
    ledger.chunk(uploadId, 0)
    // Work that waits in the queue when the clock jumps.
    for (let copy = 1; copy <= 2; copy++) await upload(client, clock, `${name} ${where} ${copy}`)
    const stranger = createSiteClient(server.origin)
    const locked = await lockOut(stranger, name)
    if (locked !== 429) failures.push(`${where}: A login after ten wrong ones answered ${locked}.`)
    if (whileStopped) await server.kill()
    await setOffset(clock, offset)
    if (whileStopped) server = await startShifted(clock)
    const moved = createSiteClient(server.origin)
    moved.setCookie(client.cookie())
    client = moved
    failures.push(
      ...(await goOn(client, { clock, name, uploadId })).map((text) => `${where}: ${text}`),
    )
  }
  await server.kill()
  const { problems } = await doctorSite(dataFolder)
  failures.push(...problems.map(({ kind, text }) => `The doctor says: ${kind}: ${text}`))
  return failures
}

/** What a member finds after a jump. */
async function goOn(
  client: SiteClient,
  { clock, name, uploadId }: { clock: Clock; name: string; uploadId: string },
): Promise<string[]> {
  const { material, ledger, dataFolder } = clock
  const failures: string[] = []
  const expect = (what: string, status: number | undefined, right = 200) => {
    if (status !== right) failures.push(`${what} answered ${status}.`)
  }
  expect('The own account', (await client.get('/api/user'))?.status)
  const stranger = createSiteClient(client.origin)
  expect('A login after a lock of five minutes', (await stranger.logIn(name))?.status)
  expect('The rest of an upload', (await client.chunk(uploadId, 1, material.clip))?.status)
  ledger.chunk(uploadId, 1)
  const completed = await client.complete(uploadId)
  expect('Its completion', completed?.status)
  failures.push(...(await waitUntilFinished(dataFolder)))
  failures.push(...(await ledger.check(dataFolder)))
  return failures
}

async function upload(
  client: SiteClient,
  { material, ledger }: Clock,
  title: string,
): Promise<void> {
  const bytes = material.needsTranscode
  const opened = await client.initialize({ title, size: bytes.length })
  const { uploadId } = opened?.json<{ uploadId: string }>() ?? { uploadId: '' }
  await client.chunk(uploadId, 0, bytes)
  const completed = await client.complete(uploadId)
  if (completed?.status === 200) ledger.video(completed.json<{ videoId: number }>().videoId, title)
}
