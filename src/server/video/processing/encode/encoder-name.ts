export const hardwareEncoders = ['h264_nvenc', 'h264_qsv', 'h264_vaapi'] as const

type HardwareEncoder = (typeof hardwareEncoders)[number]
export type EncoderName = 'libx264' | HardwareEncoder
