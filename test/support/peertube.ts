import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ZippedFile } from './zip.ts'

export const STREAM_KEY = '6d1ee6f8-8cf9-4a2a-a4b5-3a8ffc5dbb0d'
export const PASSWORD = 'correct horse battery "staple"'

const ORIGIN = 'https://tube.example.org'

export type MadePeertubeVideo = {
  name: string
  /** The recording, or null for an archive without video files. */
  file: Buffer | null
  privacy?: number
  description?: string | null
  tags?: string[]
  category?: number | null
  publishedAt?: string
  views?: number
  channel?: string
  captions?: Record<string, string>
  chapters?: { timecode: number; title: string }[]
  thumbnail?: Buffer
  isLive?: boolean
  more?: Record<string, unknown>
}

type MadePlaylist = { name: string; videos: number[]; privacy?: number; type?: number }

export const uuidOf = (index: number) =>
  `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
export const urlOf = (index: number) => `${ORIGIN}/videos/watch/${uuidOf(index)}`

/** Returns the files of an archive as PeerTube 8 exports it. */
export function peertubeFiles(input: {
  videos: MadePeertubeVideo[]
  playlists?: MadePlaylist[]
  channels?: { name: string; displayName: string }[]
  comments?: number
}): ZippedFile[] {
  const files: ZippedFile[] = []
  const add = (name: string, content: Buffer | string) => {
    files.push({ name: `files/videos/${name}`, content })
    return `../files/videos/${name}`
  }
  const videos = input.videos.map((video, index) => {
    const uuid = uuidOf(index)
    const captions = Object.entries(video.captions ?? {})
    const at = video.publishedAt ?? '2024-05-06T07:08:09.123Z'
    return {
      ...{ uuid, createdAt: at, updatedAt: at, publishedAt: at, name: video.name },
      ...{ category: video.category === undefined ? 7 : video.category, licence: null },
      ...{ language: 'en', tags: video.tags ?? [], privacy: video.privacy ?? 1 },
      ...{ passwords: video.privacy === 5 ? [PASSWORD] : [], duration: 2 },
      ...{ description: video.description ?? null, support: null, isLive: video.isLive ?? false },
      live: video.isLive
        ? { saveReplay: false, permanentLive: true, streamKey: STREAM_KEY }
        : undefined,
      ...{ url: urlOf(index), views: video.views ?? 0, likes: 0, dislikes: 0, nsfw: false },
      ...{ commentsPolicy: 1, downloadEnabled: true, waitTranscoding: true, state: 1 },
      channel: { name: video.channel ?? 'ann_channel' },
      captions: captions.map(([language]) => ({
        ...{ createdAt: at, updatedAt: at, language, filename: `${uuid}-${language}.vtt` },
        ...{ fileUrl: `${ORIGIN}/c/${language}`, automaticallyGenerated: false },
      })),
      ...{ chapters: video.chapters ?? [], files: [], streamingPlaylists: [] },
      source: { inputFilename: `take ${index}.mp4`, resolution: 240, size: 1, fps: 30 },
      archiveFiles: {
        videoFile: video.file ? add(`video-files/${uuid}.mp4`, video.file) : null,
        thumbnail: video.thumbnail ? add(`thumbnails/${uuid}.jpg`, video.thumbnail) : null,
        captions: Object.fromEntries(
          captions.map(([language, text]) => [
            language,
            add(`captions/${uuid}-${language}.vtt`, text),
          ]),
        ),
      },
      ...video.more,
    }
  })
  const channels = input.channels ?? [{ name: 'ann_channel', displayName: 'Ann' }]
  const videoPlaylists = (input.playlists ?? []).map((playlist, index) => ({
    ...{ displayName: playlist.name, description: null, privacy: playlist.privacy ?? 1 },
    ...{ url: `${ORIGIN}/p/${index}`, uuid: uuidOf(1000 + index), type: playlist.type ?? 1 },
    ...{ channel: { name: 'ann_channel' }, archiveFiles: { thumbnail: null } },
    elements: playlist.videos.map((video) => ({ videoUrl: urlOf(video) })),
  }))
  const comments = Array.from({ length: input.comments ?? 0 }, (_, index) => ({
    ...{ url: `${urlOf(0)}/comments/${index}`, text: 'Nice', videoUrl: urlOf(0) },
  }))
  const documents = { videos: { videos }, channels: { channels }, comments: { comments } }
  for (const [name, content] of Object.entries({
    ...documents,
    'video-playlists': { videoPlaylists },
  })) {
    files.push({ name: `peertube/${name}.json`, content: JSON.stringify(content, undefined, 2) })
  }
  return files
}

/** Writes the files as they lie after unpacking the archive. */
export async function writeUnpacked(folder: string, files: readonly ZippedFile[]): Promise<void> {
  for (const { name, content } of files) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
}
