import type { StoredFolder } from '#server/platform/files/stored-folders.ts'

export function chunkKey(uploadId: string, chunkIndex: number, hash: Uint8Array): string {
  return `uploads/${uploadId}/${chunkIndex}-${Buffer.from(hash).toString('hex').slice(0, 16)}`
}

type Chunk = { uploadId: string; chunkIndex: number; hash: Uint8Array }

const CHUNK_NAME = /^\d+-[\da-f]{16}$/

export function listStrayChunks(
  folders: readonly StoredFolder[],
  { open, chunks }: { open: readonly string[]; chunks: readonly Chunk[] },
): string[] {
  const known = new Set(chunks.map((one) => chunkKey(one.uploadId, one.chunkIndex, one.hash)))
  return folders
    .filter(({ name }) => open.includes(name))
    .flatMap(({ name, files }) =>
      [...files.keys()]
        .filter((file) => CHUNK_NAME.test(file))
        .map((file) => `uploads/${name}/${file}`),
    )
    .filter((key) => !known.has(key))
}
