import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const CODES = {
  400: 'InvalidArgument',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'OperationAborted',
  500: 'InternalError',
  503: 'SlowDown',
}
type Refusal = keyof typeof CODES

/**
 * What becomes of a request: its connection breaks, nothing is ever answered, it is done but its answer is lost, the answer
 * breaks off in its middle, or it is refused with a status.
 */
export type Fault = 'drop' | 'stall' | 'lose' | 'truncate' | Refusal

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

/** A proxy before an HTTP server that makes faults for as long as it is told to. */
export async function startFaultProxy(target: string) {
  const { hostname, port } = new URL(target)
  const seen: string[] = []
  let faults: { fault: Fault; left: number; of: RegExp }[] = []
  let delayMs = 0
  const ranges: string[] = []

  function nextFault(line: string): Fault | undefined {
    const next = faults.find(({ of, left }) => left > 0 && of.test(line))
    if (next) next.left--
    return next?.fault
  }

  const server = createServer(async (asked, response) => {
    const line = `${asked.method} ${asked.url}`
    seen.push(line)
    ranges.push(asked.headers.range ?? '')
    asked.on('error', () => {})
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    const fault = nextFault(line)
    if (fault === 'stall') return
    if (fault === 'drop') return asked.socket.destroy()
    if (typeof fault === 'number') return refuse(asked, response, fault)
    const { method, url: path, headers } = asked
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      if (fault === 'lose') return asked.socket.destroy()
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      if (fault === 'truncate') return breakOff(answer, response)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The method and address of each request so far. */
    seen,
    /** The `Range` of each of them. */
    ranges,

    /** Makes a fault of the next requests, or of those of them whose line matches. */
    fail(fault: Fault, { times = Number.POSITIVE_INFINITY, of = /./ } = {}): void {
      faults.push({ fault, left: times, of })
    },

    /** Lets each request wait so long. */
    delay(ms: number): void {
      delayMs = ms
    },

    /** No more faults. */
    heal(): void {
      faults = []
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

/** Sends half of an answer's body. */
function breakOff(answer: IncomingMessage, response: ServerResponse): void {
  let left = Math.floor(Number(answer.headers['content-length']) / 2)
  answer.on('data', (bytes: Buffer) => {
    const piece = bytes.subarray(0, left)
    left -= piece.length
    response.write(piece, () => {
      if (left === 0) response.destroy()
    })
  })
}
