import type { StreamTargetChunk } from 'mediabunny'
import type { PartAnswer, PartRequest } from './part-writer.ts'

type Place = { folder: string; entry: string }

/** Opens a file of the browser's own for writing at any place: by the page itself, or else by a worker (Safari before 26). */
export async function openPartFile(
  handle: FileSystemFileHandle,
  place: Place,
): Promise<WritableStream<StreamTargetChunk>> {
  if ('createWritable' in handle) return handle.createWritable()
  const ask = startWriter()
  await ask({ kind: 'open', ...place })
  return new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => ask({ kind: 'write', data: new Uint8Array(data), position }),
    close: () => ask({ kind: 'close' }),
    abort: () => ask({ kind: 'close' }),
  })
}

/** @returns asks the worker, one request after the other; `close` ends it, and so does whatever fails */
function startWriter(): (request: PartRequest) => Promise<void> {
  const worker = new Worker(new URL('./part-writer.ts', import.meta.url), { type: 'module' })
  return (request) =>
    new Promise<void>((resolve, reject) => {
      const end = (problem: string | undefined) => {
        if (problem !== undefined || request.kind === 'close') worker.terminate()
        if (problem === undefined) resolve()
        else reject(new DOMException('The part could not be written.', problem))
      }
      worker.onmessage = ({ data }: MessageEvent<PartAnswer>) => end(data.problem)
      worker.onerror = () => end('NetworkError')
      worker.postMessage(request)
    })
}
