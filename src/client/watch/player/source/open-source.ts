import { openNativeHlsSource } from './native-hls-source.ts'
import { openProgressiveSource } from './progressive-source.ts'
import type { Source, SourceKind } from './source.ts'
import { openStreamSource } from './stream-source.ts'

/** Gives an element its bytes in one of the three ways. */
export function openSource(
  kind: SourceKind,
  input: Parameters<typeof openStreamSource>[0],
): Source {
  if (kind === 'hls') return openStreamSource(input)
  if (kind === 'native-hls') return openNativeHlsSource(input)
  return openProgressiveSource(input)
}
