import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Transform } from 'node:stream'

const CODES = {
  400: 'BadDigest',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'OperationAborted',
  500: 'InternalError',
  503: 'SlowDown',
}
type Refusal = keyof typeof CODES

/**
 * What becomes of a request: its connection breaks, nothing is ever answered, it is done but its answer is lost, the answer
 * breaks off in its middle or after some bytes of its body, one byte of what is sent is changed on its way, or it is refused
 * with a status.
 */
export type Fault = 'drop' | 'stall' | 'lose' | 'truncate' | 'corrupt' | { after: number } | Refusal

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

/** A proxy before an HTTP server that makes faults for as long as it is told to. */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target)
  const seen: string[] = []
  let faults: { fault: Fault; left: number; of: RegExp }[] = []
  let delayMs = 0
  let putHeaders: Record<string, string> = {}
  const ranges: string[] = []
  const digests: string[] = []
  const conditions: string[] = []

  function nextFault(line: string): Fault | undefined {
    const next = faults.find(({ of, left }) => left > 0 && of.test(line))
    if (next) next.left--
    return next?.fault
  }

  const server = createServer(async (asked, response) => {
    const line = `${asked.method} ${asked.url}`
    seen.push(line)
    ranges.push(asked.headers.range ?? '')
    digests.push(asked.headers['content-md5']?.toString() ?? '')
    conditions.push(asked.headers['if-match'] ?? '')
    asked.on('error', () => {})
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const fault = nextFault(line)
    if (fault === 'stall') return
    if (fault === 'drop') return asked.socket.destroy()
    if (typeof fault === 'number') return refuse(asked, response, fault)
    const { method, url: path, headers } = asked
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      if (fault === 'lose') return asked.socket.destroy()
      const more = method === 'PUT' ? putHeaders : {}
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...more })
      const after = typeof fault === 'object' ? fault.after : middleOf(answer)
      if (fault === 'truncate' || typeof fault === 'object')
        return breakOff(answer, response, after)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    if (fault === 'corrupt') asked.pipe(changeOneByte()).pipe(onward)
    else asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The method and address of each request so far. */
    seen,
    /** The `Range` of each of them. */
    ranges,
    /** The `Content-MD5` and the `If-Match` of each of them. */
    digests,
    conditions,

    /** Makes a fault of the next requests, or of those of them whose line matches. */
    fail(fault: Fault, { times = Number.POSITIVE_INFINITY, of = /./ } = {}): void {
      faults.push({ fault, left: times, of })
    },

    /** Lets each request wait so long. */
    delay(ms: number): void {
      delayMs = ms
    },

    /** Answers every PUT with these headers in place of the server's. */
    answerPuts(headers: Record<string, string>): void {
      putHeaders = headers
    },

    /** No more faults. */
    heal(): void {
      faults = []
      putHeaders = {}
      delayMs = 0
    },

    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(asked: IncomingMessage, response: ServerResponse, status: Refusal): void {
  asked.resume()
  const body = `<?xml version="1.0"?><Error><Code>${CODES[status]}</Code></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}

const middleOf = ({ headers }: IncomingMessage) => Math.floor(Number(headers['content-length']) / 2)

/** Sends the head of an answer and so many bytes of its body. */
function breakOff(answer: IncomingMessage, response: ServerResponse, bytes: number): void {
  let left = bytes
  const end = () => response.destroy()
  if (left === 0) response.flushHeaders()
  answer.on('data', (data: Buffer) => {
    const piece = data.subarray(0, left)
    left -= piece.length
    if (left > 0) response.write(piece)
    else response.write(piece, end)
  })
  answer.on('end', () => {
    if (left > 0) response.end()
  })
}

function changeOneByte(): Transform {
  let isDone = false
  return new Transform({
    transform(data: Buffer, _, done) {
      const piece = Buffer.from(data)
      if (!isDone && piece.length > 0) piece[0] = (piece[0] ?? 0) ^ 1
      isDone = true
      done(null, piece)
    },
  })
}
