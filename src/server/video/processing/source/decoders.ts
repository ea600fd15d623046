import { Codec, type Stream } from 'node-av/lib'

/** Hostile files can reach each decoder. */
const decoderNames = new Set([
  // Phones, consoles, browsers.
  ...['h264', 'hevc', 'libdav1d', 'av1', 'vp8', 'vp9', 'mpeg4', 'msmpeg4', 'msmpeg4v2', 'h263'],
  ...['mpeg1video', 'mpeg2video', 'mjpeg', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'theora', 'vp3'],
  // Flash, Windows screen recorders.
  ...['flv', 'vp6', 'vp6a', 'vp6f', 'flashsv', 'flashsv2', 'mss1', 'mss2', 'wmv3image', 'vc1image'],
  // Lossless captures, DOSBox.
  ...['ffv1', 'huffyuv', 'ffvhuff', 'utvideo', 'magicyuv', 'lagarith', 'fraps', 'dxtory', 'zmbv'],
  // Cameras and editors.
  ...['prores', 'dnxhd', 'cfhd', 'dvvideo', 'v210', 'rawvideo', 'png', 'qtrle'],
  ...['aac', 'mp3float', 'mp2', 'ac3', 'eac3', 'dca', 'opus', 'vorbis', 'flac', 'alac'],
  ...['truehd', 'aac_latm', 'wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'speex'],
  ...['nellymoser', 'adpcm_swf', 'pcm_bluray', 'pcm_dvd', 's302m'],
  ...['amrnb', 'amrwb', 'adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'pcm_alaw'],
  ...['pcm_mulaw', 'pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be'],
  ...['pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
])

/** FFmpeg's probing decodes too. */
export const decoderAllowList = [...decoderNames].join(',')

export function findDecoder(stream: Stream): Codec | null {
  const decoder = Codec.findDecoder(stream.codecpar.codecId)
  return decoder?.name && decoderNames.has(decoder.name) ? decoder : null
}
