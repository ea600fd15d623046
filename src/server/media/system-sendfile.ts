import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { KoffiFunc } from 'koffi'

/** How many bytes were moved; `full` when the connection takes no more now, `failed` when this way leads nowhere. */
export type Moved = number | 'full' | 'failed'

/** A connection that bytes of files are moved into by the kernel itself. */
export type FileConnection = {
  /**
   * Moves bytes of an open file, as many as the connection takes at once: none only beyond the file's end.
   * One call at a time.
   */
  move: (
    from: { fd: number; position: number; length: number },
    done: (moved: Moved) => void,
  ) => void
  /** Not while bytes are moved. */
  close: () => void
}

export type SystemSendfile = {
  /** @returns undefined when the connection has ended, or the process may open no more files */
  connect: (socket: Socket) => FileConnection | undefined
}

/** Elsewhere the call is named or declared otherwise. */
const isKnownHere = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
/** From Linux's fcntl.h: a second descriptor, which programs that are started do not inherit. */
const F_DUPFD_CLOEXEC = 1030
/** Memory of a call that waits or runs; what it does needs next to nothing. */
const CALL_BYTES = 64 * 1024
const CALLS_KEPT = 32
/** That wait or run; koffi's own limit. */
const CALLS_MAX = 4096

let isAskedFor = false
let loaded: SystemSendfile | undefined

/**
 * The kernel's sendfile, which Node has no way to: the connection gets the pages of the file that the system
 * has in memory, where reading and writing copy each byte twice. It is loaded with the first question, so that a process
 * that sends no files never has it.
 * @returns undefined while it is being loaded, and where there is none
 */
export function findSystemSendfile(): SystemSendfile | undefined {
  if (isKnownHere && !isAskedFor) load().catch(() => {})
  isAskedFor = true
  return loaded
}

async function load(): Promise<void> {
  const { default: koffi } = await import('koffi')
  koffi.config({
    ...{ async_stack_size: CALL_BYTES, async_heap_size: CALL_BYTES },
    ...{ resident_async_pools: CALLS_KEPT, max_async_calls: CALLS_MAX },
  })
  const libc = koffi.load(null)
  const fcntl: (fd: number, command: number, type: 'int', lowest: number) => number = libc.func(
    'int fcntl(int fd, int command, ...)',
  )
  const sendfile: KoffiFunc<
    (out: number, from: number, offset: BigInt64Array, count: number) => number
  > = libc.func('int64_t sendfile(int out, int from, int64_t *offset, size_t count)')

  loaded = {
    connect(socket) {
      const { fd = -1 } = (socket as { _handle?: { fd?: number } })._handle ?? {}
      // A descriptor of its own: the socket's is closed when the connection ends, and its number may be
      // another connection's before the kernel is done.
      const out = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 'int', 0)
      if (out < 0) return undefined
      const offset = new BigInt64Array(1)
      return {
        move({ fd: from, position, length }, done) {
          offset[0] = BigInt(position)
          try {
            sendfile.async(out, from, offset, length, (error, moved) => {
              if (error) done('failed')
              else if (moved >= 0) done(moved)
              else done(koffi.errno() === koffi.os.errno.EAGAIN ? 'full' : 'failed')
            })
          } catch {
            // More calls wait already than may.
            done('failed')
          }
        },
        close: () => closeSync(out),
      }
    },
  }
}
