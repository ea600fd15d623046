import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { hangUp, type Line, openLine, openLines, statusOf } from './abuser.ts'

/** A site that is abused, and what is there to be abused. */
export type Target = {
  port: number
  /** The path of a file of many megabytes. */
  largeFile: string
  largeBytes: number
  /** The headers of a member who is signed in, as lines. */
  member: string
}

/** One kind of abuse. @returns what was expected and did not come about, a sentence each */
export type Scene = { name: string; run: (target: Target) => Promise<string[]> }

const HOST = 'Host: site.example\r\n'
const FORM = 'Content-Type: multipart/form-data; boundary=b\r\n'

const until = async (condition: () => boolean, seconds: number) => {
  for (let at = 0; at < seconds * 10 && !condition(); at++) await pause(100)
  return condition()
}

const allClosed = (lines: Line[]) => lines.every((line) => line.isClosed())

/** Those that end by themselves within seconds. */
export const quickScenes: Scene[] = [
  { name: '500 ranges in a header', run: manyRanges },
  { name: 'headers without an end', run: endlessHeaders },
  { name: 'uploads that stop halfway', run: halfUploads },
  { name: 'requests in one breath', run: pipelined },
  { name: 'HTTP/1.0', run: oldClients },
  { name: 'live news that nobody reads', run: unreadNews },
  { name: 'connections that are dropped at once', run: droppedAtOnce },
]

async function manyRanges({ port, largeFile, largeBytes }: Target): Promise<string[]> {
  const ranges = Array.from({ length: 500 }, (_, at) => `${at * 10}-${at * 10 + 5000}`).join(',')
  const lines = openLines(port, 20)
  const request = `GET ${largeFile} HTTP/1.1\r\n${HOST}Range: bytes=${ranges}\r\nConnection: close\r\n\r\n`
  for (const { socket } of lines) socket.write(request)
  const ended = await until(() => allClosed(lines), 120)
  const most = Math.max(...lines.map((line) => line.receivedBytes()))
  const statuses = new Set(lines.map(statusOf))
  hangUp(lines)
  return [
    ...(ended ? [] : ['A file asked for in 500 ranges was not sent to its end.']),
    // One of them, or the whole file once: never each of them.
    ...(most <= largeBytes + 4000 ? [] : ['500 ranges brought more bytes than the file has.']),
    ...([...statuses].every((status) => status === 200 || status === 206)
      ? []
      : [`500 ranges were answered ${[...statuses]}.`]),
  ]
}

async function endlessHeaders({ port }: Target): Promise<string[]> {
  const lines = openLines(port, 100)
  const one = `X-Flood: ${'x'.repeat(1000)}\r\n`
  for (const { socket } of lines) {
    socket.write(`GET / HTTP/1.1\r\n${HOST}${one.repeat(100)}`)
  }
  const refused = await until(() => lines.every((line) => statusOf(line) === 431), 30)
  const closed = await until(() => allClosed(lines), 30)
  hangUp(lines)
  return [
    ...(refused ? [] : ['Headers without an end were not all refused with 431.']),
    ...(closed ? [] : ['Connections with headers without an end stayed open.']),
  ]
}

async function halfUploads({ port, member }: Target): Promise<string[]> {
  const lines = openLines(port, 50)
  const head = `POST /api/uploads/chunk HTTP/1.1\r\n${HOST}${member}${FORM}Content-Length: 2000000\r\n\r\n`
  const part = '--b\r\nContent-Disposition: form-data; name="chunk"; filename="c"\r\n\r\n'
  for (const { socket } of lines) {
    socket.write(`${head}${part}${'x'.repeat(500_000)}`)
    socket.end()
  }
  const closed = await until(() => allClosed(lines), 30)
  hangUp(lines)
  return closed ? [] : ['Uploads that stopped halfway stayed open.']
}

/** Each breath has some thousand requests for a large file; nobody reads the answers. */
async function pipelined({ port, largeFile }: Target): Promise<string[]> {
  const lines = openLines(port, 10)
  const breath = `GET ${largeFile} HTTP/1.1\r\n${HOST}\r\n`.repeat(2000)
  for (const { socket } of lines) {
    socket.pause()
    socket.write(breath)
  }
  await pause(3000)
  hangUp(lines)
  const reader = openLine(port)
  reader.socket.write(
    `${`GET /api/health HTTP/1.1\r\n${HOST}\r\n`.repeat(99)}GET /api/health HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  )
  const closed = await until(() => reader.isClosed(), 30)
  hangUp([reader])
  return closed ? [] : ['A hundred requests in one breath were not all answered.']
}

async function oldClients({ port }: Target): Promise<string[]> {
  const lines = openLines(port, 200)
  for (const { socket } of lines) socket.write('GET /api/health HTTP/1.0\r\n\r\n')
  const answered = await until(() => allClosed(lines), 30)
  const all = lines.every((line) => statusOf(line) === 200)
  hangUp(lines)
  return answered && all ? [] : ['Clients of HTTP/1.0 were not all answered and let go.']
}

/** A member has ten live streams at most: of more the oldest end. */
async function unreadNews({ port, member }: Target): Promise<string[]> {
  const lines = openLines(port, 100)
  for (const { socket } of lines) {
    socket.pause()
    socket.write(
      `GET /trpc/live.onChange HTTP/1.1\r\n${HOST}${member}Accept: text/event-stream\r\n\r\n`,
    )
  }
  await pause(2000)
  for (const { socket } of lines) socket.resume()
  // A stream that has ended leaves its connection to be used again.
  const isOver = (line: Line) => line.isClosed() || /\r\n0\r\n\r\n$/.test(line.received())
  const ended = await until(() => lines.filter((line) => !isOver(line)).length <= 10, 30)
  hangUp(lines)
  return ended ? [] : ['A member had more than ten live streams.']
}

async function droppedAtOnce({ port }: Target): Promise<string[]> {
  for (let round = 0; round < 20; round++) {
    const lines = openLines(port, 50)
    await Promise.race([once(lines[0]?.socket as Line['socket'], 'connect'), pause(2000)])
    for (const { socket } of lines) socket.resetAndDestroy()
  }
  return []
}

/**
 * Those that only time ends: connections that drip, and those that take nothing. They are begun together.
 * @returns a function that waits until the server has given all of them up
 */
export function beginSlowClients({ port, largeFile }: Target, each: number) {
  const headers = openLines(port, each)
  for (const { socket } of headers) socket.write('GET /api/videos HTTP/1.1\r\nX-Slow: ')
  const bodies = openLines(port, each)
  const head = `POST /api/login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`
  for (const { socket } of bodies) socket.write(`${head}Content-Length: 1000\r\n\r\n{`)
  const readers = openLines(port, each)
  for (const { socket } of readers) {
    socket.write(`GET ${largeFile} HTTP/1.1\r\n${HOST}\r\n`)
    socket.pause()
  }
  const dripping = setInterval(() => {
    for (const { socket } of [...headers, ...bodies]) if (socket.writable) socket.write('x')
  }, 1000)
  return {
    /** How many are open. */
    open: () => [...headers, ...bodies, ...readers].filter((line) => !line.isClosed()).length,
    async waitForEnd(seconds: number): Promise<string[]> {
      const dripped = [...headers, ...bodies]
      const isOver = await until(() => allClosed(dripped), seconds)
      clearInterval(dripping)
      const late = dripped.filter((line) => line.isClosed() && statusOf(line) === 408).length
      // Paused, they see the end only once they read on; what the system held for them comes first.
      for (const { socket } of readers) socket.resume()
      const readersEnded = await until(() => allClosed(readers), 60)
      const whole = readers.filter((line) => line.receivedBytes() > 60_000_000).length
      hangUp([...dripped, ...readers])
      return [
        ...(isOver ? [] : ['Requests that drip were not given up.']),
        ...(late > 0 ? [] : ['No request that dripped was refused as too slow.']),
        ...(readersEnded ? [] : ['Clients that take nothing were not given up.']),
        ...(whole === 0
          ? []
          : [`${whole} clients that took nothing for minutes were sent all in the end.`]),
      ]
    },
  }
}
