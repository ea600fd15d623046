import { existsSync, readdirSync } from 'node:fs'
import { type EncoderName, hardwareEncoders } from '../encode/encoder-name.ts'
import { runMediaTask } from './run-media-task.ts'

const TEST_TIMEOUT_MS = 15_000

/** Tries each candidate for a second of video, if there is a graphics card. */
export async function chooseEncoder(
  candidates: readonly EncoderName[] = mayHaveCard() ? hardwareEncoders : [],
): Promise<EncoderName> {
  for (const encoder of candidates) {
    const test = runMediaTask({ kind: 'test-encoder', encoder }, { timeoutMs: TEST_TIMEOUT_MS })
    const works = await test.then(
      () => true,
      () => false,
    )
    if (works) return encoder
  }
  return 'libx264'
}

/** On Windows only a trial tells. */
function mayHaveCard(): boolean {
  if (process.platform !== 'linux') return process.platform === 'win32'
  if (existsSync('/dev/nvidia0') || existsSync('/dev/dxg')) return true
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('render'))
}
