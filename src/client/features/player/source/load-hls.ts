import type Hls from 'hls.js'
import { parseMasterPlaylist } from './master-playlist.ts'

const loadLight = () => import('hls.js/light')

/** Fetches ahead what playing HLS needs, so that it is there when the player is. */
export function preloadHls(): void {
  if (picksHlsLibrary()) void loadLight().catch(() => undefined)
}

/**
 * hls.js: its light build, or the whole of it for videos with several audio tracks, which the light
 * one would play without sound.
 */
export async function loadHls(url: string): Promise<typeof Hls> {
  const [light, hasAudioTracks] = await Promise.all([loadLight(), findAudioTracks(url)])
  if (!hasAudioTracks) return light.default
  const whole = await import('hls.js')
  return whole.default
}

/** Whether this browser needs the library at all: Safari's own way is better there. */
export function picksHlsLibrary(): boolean {
  const isSafari = 'WebKitPlaybackTargetAvailabilityEvent' in globalThis
  const hasSources = 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis
  return hasSources && !isSafari
}

export function playsHlsItself(video: HTMLVideoElement): boolean {
  return video.canPlayType('application/vnd.apple.mpegurl') !== ''
}

async function findAudioTracks(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  if (!answer?.ok) return false
  return parseMasterPlaylist(await answer.text(), answer.url).audioTracks.length > 1
}
