import { Codec, type Stream } from 'node-av/lib'

/**
 * FFmpeg's decoders that recordings of games, phones, cameras and editors need in MP4, MOV, AVI and
 * Matroska. The hundreds of others are code that nobody here needs and a hostile file could reach.
 */
const decoderNames = new Set([
  // Phones, consoles, capture programs, browsers.
  ...['h264', 'hevc', 'libdav1d', 'av1', 'vp8', 'vp9', 'mpeg4', 'msmpeg4', 'msmpeg4v2', 'h263'],
  ...['mpeg1video', 'mpeg2video', 'mjpeg', 'wmv2', 'wmv3', 'vc1', 'theora'],
  // Captures without loss, and DOSBox.
  ...['ffv1', 'huffyuv', 'ffvhuff', 'utvideo', 'magicyuv', 'lagarith', 'fraps', 'dxtory', 'zmbv'],
  // Cameras and editors.
  ...['prores', 'dnxhd', 'cfhd', 'dvvideo', 'v210', 'rawvideo', 'png', 'qtrle'],
  // Sound.
  ...['aac', 'mp3float', 'mp2', 'ac3', 'eac3', 'dca', 'opus', 'vorbis', 'flac', 'alac'],
  ...['wmav2', 'amrnb', 'amrwb', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'pcm_alaw'],
  ...['pcm_mulaw', 'pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be'],
  ...['pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
])

/** For FFmpeg, which decodes a little by itself to find out what a file holds. */
export const decoderAllowList = [...decoderNames].join(',')

/** The decoder of a stream; null when FFmpeg has none or it is not on the list. */
export function findDecoder(stream: Stream): Codec | null {
  const decoder = Codec.findDecoder(stream.codecpar.codecId)
  return decoder?.name && decoderNames.has(decoder.name) ? decoder : null
}
