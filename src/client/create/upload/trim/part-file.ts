import type { StreamTargetChunk } from 'mediabunny'
import type { PartAnswer, PartRequest } from './part-writer.ts'

type Place = { folder: string; entry: string }

/**
 * Writable at any position in the origin private file system; Safari before 26 only in a worker.
 */
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

/** @returns sends one request at a time; the worker ends after `close` or a failure */
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
