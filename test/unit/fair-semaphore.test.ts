import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSemaphore } from '#server/platform/locks/fair-semaphore.ts'

/** Work that ends when it is sent to; `begun` is who began, in order. */
function openRoom(options: { permits: number; permitsPerKey: number }) {
  const run = createFairSemaphore(options)
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  return {
    begun,
    come: (key: string, name: string) =>
      run(key, () => {
        begun.push(name)
        return new Promise<string>((resolve, reject) =>
          ends.set(name, (error) => (error ? reject(error) : resolve(name))),
        )
      }),
    async end(name: string, error?: Error) {
      ends.get(name)?.(error)
      await setImmediate()
    },
  }
}

test('one who comes with much leaves a place to others', async () => {
  const room = openRoom({ permits: 3, permitsPerKey: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) void room.come('a', name)
  void room.come('b', 'b1')
  await setImmediate()
  expect(room.begun).toEqual(['a1', 'a2', 'b1'])
})

test('those who wait take turns, whatever number of pieces each has', async () => {
  const room = openRoom({ permits: 1, permitsPerKey: 1 })
  for (const name of ['a1', 'a2', 'a3']) void room.come('a', name)
  for (const name of ['b1', 'b2']) void room.come('b', name)
  void room.come('c', 'c1')
  for (let at = 0; at < 6; at++) {
    await setImmediate()
    await room.end(room.begun.at(-1) ?? '')
  }
  expect(room.begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('a failure makes room like a success, and reaches whoever asked', async () => {
  const room = openRoom({ permits: 1, permitsPerKey: 1 })
  const failed = room.come('a', 'a1')
  const next = room.come('b', 'b1')
  await setImmediate()
  const check = expect(failed).rejects.toThrow('broken')
  await room.end('a1', new Error('broken'))
  await check
  await room.end('b1')
  expect(await next).toBe('b1')
})
