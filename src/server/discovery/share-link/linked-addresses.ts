import { fileIn } from '#server/video/video/media-address.ts'

/** The address of a file as the holders of a link reach it; null for none, and for what lies elsewhere. */
export type FileAddress = (address: string | null) => string | null

/**
 * Where the files of a video lie for the holders of a link. The grant is a part of the path, so that the
 * playlists of a stream, which name their parts relatively, lead to parts with it.
 */
export function addressesOf(
  input: { token: string; grant: string | null; link: { playlistId: number | null } },
  videoId: number,
): FileAddress {
  const { token, grant, link } = input
  const folder = link.playlistId === null ? '' : `${videoId}/`
  const base = `/s/${token}/${grant === null ? '' : `${grant}/`}media/${folder}`
  return (address) => {
    const file = fileIn(address)
    return file && base + file
  }
}
