/** Worker of `part-file.ts`. */

export type PartRequest =
  | { kind: 'open'; folder: string; entry: string }
  | { kind: 'write'; data: Uint8Array<ArrayBuffer>; position: number }
  | { kind: 'close' }

/** One answer per request; `problem` is the error's name. */
export type PartAnswer = { problem: string | undefined }

/** Only in workers, so the DOM types lack it. */
type SyncHandle = {
  write: (data: Uint8Array<ArrayBuffer>, options: { at: number }) => number
  flush: () => void
  close: () => void
}
type SyncFile = FileSystemFileHandle & { createSyncAccessHandle: () => Promise<SyncHandle> }

const scope = globalThis as unknown as Worker
let handle: SyncHandle | undefined
let last: Promise<void> = Promise.resolve()

scope.addEventListener('message', ({ data }: MessageEvent<PartRequest>) => {
  last = last.then(() => answer(data))
})

async function answer(request: PartRequest): Promise<void> {
  const problem = await act(request).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.name : 'Error'),
  )
  scope.postMessage({ problem } satisfies PartAnswer)
}

async function act(request: PartRequest): Promise<void> {
  if (request.kind === 'open') {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(request.folder)
    const file = await folder.getFileHandle(request.entry)
    handle = await (file as SyncFile).createSyncAccessHandle()
  } else if (request.kind === 'write') {
    const { data, position } = request
    const written = handle?.write(data, { at: position }) ?? 0
    // On a full disk some browsers return a short count instead of throwing.
    if (written < data.byteLength) throw new DOMException('It is full.', 'QuotaExceededError')
  } else {
    handle?.flush()
    handle?.close()
  }
}
