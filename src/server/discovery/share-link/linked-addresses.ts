import { fileIn } from '#server/video/video/media-address.ts'

/** Null for none, and for files elsewhere. */
export type FileAddress = (address: string | null) => string | null

/** The grant is in the path: relative addresses in playlists keep it. */
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
