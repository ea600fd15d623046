import { useMutation } from '@tanstack/react-query'
import { postForm } from '#client/platform/post-form.ts'
import { trpc } from '#client/trpc.ts'
import { MAX_CAPTIONS_BYTES } from '#shared/limits.ts'
import type { ReceivedCaptions } from '#shared/schemas/caption.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'

export const CAPTIONS_ACCEPT = '.vtt,.srt,text/vtt'

export type CaptionsValues = { file: File; language: string; label: string }

/** `captionsId` replaces the file and keeps name and language. */
export function useSendCaptions(videoId: number) {
  const utils = trpc.useUtils()
  return useMutation({
    mutationFn: ({ file, ...fields }: CaptionsValues | { file: File; captionsId: number }) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
      form.set('captions', file)
      return postForm<ReceivedCaptions>(`/api/videos/${videoId}/captions`, form)
    },
    onSuccess: () => utils.video.playback.invalidate({ id: videoId }),
  })
}

/** @returns a sentence without a usable file */
export function captionsProblem(file: File | undefined): string | undefined {
  if (!file) return 'Choose a WebVTT or SRT file first.'
  if (file.size === 0) return `“${file.name}” is empty. Choose another file.`
  if (file.size > MAX_CAPTIONS_BYTES) {
    return `“${file.name}” has ${formatBytes(file.size)}; captions may have at most ${formatBytes(MAX_CAPTIONS_BYTES)}.`
  }
}
