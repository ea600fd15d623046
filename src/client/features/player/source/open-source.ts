import { openHlsSource } from './hls-source.ts'
import { openNativeHlsSource } from './native-hls-source.ts'
import { openProgressiveSource } from './progressive-source.ts'
import type { Source, SourceKind } from './source.ts'

type OpenInput = Parameters<typeof openHlsSource>[0]

/** Gives an element its bytes in one of the three ways; undefined where this browser lacks that way. */
export async function openSource(kind: SourceKind, input: OpenInput): Promise<Source | undefined> {
  if (kind === 'hls') return openHlsSource(input)
  if (kind === 'native-hls') return openNativeHlsSource(input)
  return openProgressiveSource(input)
}
